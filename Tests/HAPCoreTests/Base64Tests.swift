import HAPCore
import Testing

struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func theVectorsOfRFC4648Hold(plain: String, text: String) {
        #expect(Base64.encode(Array(plain.utf8)) == text)
        #expect(Base64.decode(text) == Array(plain.utf8))
    }

    @Test(arguments: [
        "=", "==", "A", "AA", "AAA", "A===", "AA=", "AAA==", "AAAA=", "AAAA==", "AA=A", "A=AA", "=AAA", "AA==AA==",
        "AB==", "AC==", "AE==", "AI==", "AAC=", "A/==", "AAB=", "Zh==", "Zm9=", "AA -", "AA\n=", "A A=", "AA--", "__==",
        "AAé", "AA==\n", "AA==\0",
        "AA==A", "AAAAA", "AA===",
    ])
    func nonCanonicalTextIsRefused(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test func allBytesSurviveTheRoundTripAtEveryLength() {
        let bytes = (0..<1024).map { UInt8(truncatingIfNeeded: $0 &* 167 ^ $0 >> 3) } + Array(0...255)
        for count in [0, 1, 2, 3, 4, 254, 255, 256, 1023, 1024, 1025, 1280] {
            let part = Array(bytes.suffix(count))
            let text = Base64.encode(part)
            #expect(text.utf8.count == (count + 2) / 3 * 4)
            #expect(Base64.decode(text) == part)
        }
    }

    @Test func theWholeAlphabetIsUsed() {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        #expect(Base64.decode(alphabet).map { Base64.encode($0) } == alphabet)
        for byte in UInt8.min ... .max {
            let isDigit = alphabet.utf8.contains(byte)
            #expect((Base64.decode([byte, 0x41, 0x41, 0x41]) != nil) == isDigit)
        }
    }
}
