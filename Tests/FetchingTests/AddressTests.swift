import Testing

@testable import Fetching

/// Which addresses and URLs are refused.
struct AddressTests {
    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1",
        "127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1",
        "192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.251", "239.255.255.250",
        "240.0.0.1", "255.255.255.255",
        "::", "::1", "::7f00:1", "::127.0.0.1", "fc00::1", "fdff::1", "fe80::1", "febf::1", "fec0::1", "ff02::fb",
        "100::1", "2001:db8::1", "2001:2::1", "2001:10::1", "3fff:fff::1", "5f00::1", "64:ff9b:1::1", "4000::1",
        "::ffff:127.0.0.1", "::ffff:192.168.1.1", "::ffff:0:127.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b::10.0.0.1",
        "2002:7f00:1::1", "2002:c0a8:101::1", "2002:0a00:1::",
        // A Teredo address contains the address of a server, and that of a client with all bits inverted.
        "2001:0:7f00:1:0:0:f7f7:f7f7", "2001:0:808:808:0:0:80ff:fffe", "2001:0:808:808:0:0:3f57:fefe",
    ])
    func addressIsRefused(_ text: String) throws {
        #expect(!AddressGuard.isPublic(try #require(IPAddress(text)).bytes))
    }

    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0", "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0",
        "198.17.255.255", "198.20.0.0", "223.255.255.255",
        "2001:4860:4860::8888", "2606:4700::1111", "2a00::1", "2001:200::1", "2001:db9::1", "3ffe::1", "3fff:1000::1",
        "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1", "2001:0:808:808:0:0:f7f7:f7f7",
    ])
    func addressIsPublic(_ text: String) throws {
        #expect(AddressGuard.isPublic(try #require(IPAddress(text)).bytes))
    }

    @Test
    func bytesOfAnotherLengthAreNotPublic() {
        for count in [0, 3, 5, 15, 17] { #expect(!AddressGuard.isPublic(Array(repeating: 8, count: count))) }
        // The form that IPAddress never has.
        #expect(!AddressGuard.isPublic(AddressGuard.mappedIPv4 + [127, 0, 0, 1]))
        #expect(AddressGuard.isPublic(AddressGuard.mappedIPv4 + [8, 8, 8, 8]))
    }

    @Test(arguments: [
        "http://127.0.0.1/", "http://127.1/", "http://127.0.1/", "http://0x7f000001/", "http://0X7F.1/",
        "http://2130706433/", "http://017700000001/", "http://0177.0.0.1/", "http://[::ffff:127.0.0.1]/",
        "http://[::FFFF:7F00:1]/", "HTTP://127.0.0.1:80/#fragment",
    ])
    func everySpellingOfAnAddressIsTheSame(_ text: String) throws {
        let location = try DocumentLocation(text)
        #expect(location.address == IPAddress([127, 0, 0, 1]))
        #expect(location.text == "http://127.0.0.1:80/")
    }

    @Test(arguments: [
        "", "picture.png", "//example.com/", "http://", "http:///a", "file:///etc/passwd", "ftp://example.com/a",
        "unix:///run/socket", "http+unix://%2Frun%2Fsocket/a", "data:image/png;base64,iVBORw0KGgo=",
        "http://user@example.com/", "http://example.com:secret@127.0.0.1/", #"http://127.0.0.1\@example.com/"#,
        "http://127%2E0.0.1/", "http://[fe80::1%25lo]/", "http://[::1/", "http://exa mple.com/", "http://a:0/",
        "http://a:65536/", "http://ex\u{E4}mple.com/", "http://a\u{0}b/",
        "http://\u{FF11}27.0.0.1/", "http://a/\(String(repeating: "a", count: 5_000))",
    ])
    func urlIsInvalid(_ text: String) {
        #expect {
            try DocumentLocation(text)
        } throws: { error in
            if case .invalidURL = error as? FetchError { true } else { false }
        }
    }

    @Test
    func locationHasOneSpelling() throws {
        let location = try DocumentLocation("HTTPS://Example.COM/a%20b/\u{E4}?q=1&r=\r\n#end")
        #expect(location.text == "https://example.com:443/a%20b/%C3%A4?q=1&r=%0D%0A")
        #expect(location.host == "example.com" && location.address == nil)
        #expect(try DocumentLocation("../c", relativeTo: location).text == "https://example.com:443/c")
        #expect(try DocumentLocation("//other/c", relativeTo: location).text == "https://other:443/c")
        #expect(try DocumentLocation("http://[2001:DB8::1]:8080").text == "http://[2001:db8:0:0:0:0:0:1]:8080/")
    }
}
