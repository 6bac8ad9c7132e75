import NIOCore
import Testing

@testable import HAPServer

struct PeerAddressTests {
    @Test(arguments: [
        ("192.0.2.7", 50_112, "192.0.2.7:50112"), ("::1", 1, "[::1]:1"), ("2001:db8::7", 80, "[2001:db8::7]:80"),
        ("::ffff:192.0.2.7", 443, "192.0.2.7:443"), ("::1.2.3.4", 443, "[::1.2.3.4]:443"),
    ])
    func peerAddressHasHostAndPort(address: String, port: Int, text: String) throws {
        #expect(try SocketAddress(ipAddress: address, port: port).hostAndPort == text)
    }

    @Test(arguments: [
        ("192.0.2.7", "192.0.2.8", false), ("192.0.2.7", "::ffff:192.0.2.7", true), ("::1", "::2", true),
        ("2001:db8:0:7::1", "2001:db8:0:7:ffff::9", true), ("2001:db8:0:7::1", "2001:db8:0:8::1", false),
        ("fe80::1", "fe80::2", false), ("fe80::1", "fe80::1", true), ("febf::1", "febf::2", false),
        ("fec0::1", "fec0::2", true),
    ])
    func peersOfOneIPv6NetworkOrLinkLocalAddressAreOneHost(one: String, other: String, isSameHost: Bool) throws {
        let hosts = try [(one, 1), (other, 2)].map { PeerHost(try SocketAddress(ipAddress: $0.0, port: $0.1)) }
        #expect((hosts[0] == hosts[1]) == isSameHost)
        #expect(!hosts.contains(.unknown))
    }

    @Test func aSocketWithoutAnAddressIsUnknown() throws {
        #expect(try SocketAddress(unixDomainSocketPath: "/run/socket").hostAndPort == "unknown")
        #expect(PeerHost(nil) == .unknown)
    }
}
