import Cast
import HAPCore
import TestSupport
import Testing

/// Frames, messages and challenges on the wire.
struct CastWireTests {
    private let message = CastMessage(from: "sender-0", to: "receiver-0", CastNamespace.receiver, .text("{\"a\":1}"))

    @Test
    func framesComeOutWholeWhateverTheParts() throws {
        let frame = try #require(message.frame)
        #expect(Array(frame.prefix(4)) == [0, 0, 0, UInt8(frame.count - 4)])
        for size in [1, 3, frame.count, 2 * frame.count] {
            var decoder = CastFrameDecoder()
            var messages: [CastMessage] = []
            var rest = (frame + frame)[...]
            while !rest.isEmpty {
                decoder.append(rest.prefix(size))
                rest = rest.dropFirst(size)
                while let body = try decoder.next() { messages.append(try CastMessage(parsing: body)) }
            }
            #expect(messages == [message, message])
        }
    }

    @Test
    func aFrameOverTheLimitIsRefused() throws {
        var decoder = CastFrameDecoder()
        decoder.append([0, 1, 0, 0])
        #expect(try decoder.next() == nil)
        decoder = CastFrameDecoder()
        decoder.append([0, 1, 0, 1])
        #expect(throws: CastError.frameTooLong(65_537)) { try decoder.next() }
        #expect(CastMessage(from: "", to: "", "", .binary([UInt8](repeating: 0, count: 65_536))).frame == nil)
    }

    /// The bytes that pychromecast 14.0.10 sends for CONNECT.
    @Test
    func theMessageOfASenderIsRead() throws {
        let bytes = [UInt8](hex: "080012087369642d312d3030")
        #expect(try CastMessage(parsing: bytes[...]).source == "sid-1-00")
        let whole = try #require(message.frame).dropFirst(4)
        // The required fields are written also if they are zero.
        #expect(whole.starts(with: [0x08, 0x00, 0x12, 0x08]))
        #expect(try CastMessage(parsing: whole) == message)
        let binary = CastMessage(from: "a", to: "b", CastNamespace.deviceAuthentication, .binary([0, 255]))
        #expect(try CastMessage(parsing: #require(binary.frame).dropFirst(4)) == binary)
    }

    @Test
    func unknownFieldsAreIgnoredAndWrongOnesRefused() throws {
        let known = Array(try #require(message.frame).dropFirst(4))
        // A number, eight bytes, some bytes and four bytes, with the numbers 20 to 23.
        let unknown: [UInt8] =
            [0xA0, 1, 5] + [0xA9, 1] + Array(repeating: 7, count: 8) + [0xB2, 1, 1, 9]
            + [0xBD, 1, 1, 2, 3, 4]
        #expect(try CastMessage(parsing: (unknown + known)[...]) == message)
        for bytes in [[0x10, 1], [0x12, 9, 0], [0x08], [0x28, 0xFF], [0x2A, 0], [0x0B]] as [[UInt8]] {
            #expect(throws: CastError.self) { try CastMessage(parsing: bytes[...]) }
        }
    }

    @Test
    func aChallengeIsReadAndAnswered() throws {
        // Challenge 1 { signature_algorithm 1, sender_nonce 01 02, hash_algorithm 1 }.
        let challenge = try AuthenticationChallenge(parsing: [0x0A, 8, 0x08, 1, 0x12, 2, 1, 2, 0x18, 1])
        #expect(challenge.nonce == [1, 2] && challenge.hash == .sha256 && challenge.isSupported)
        #expect(try AuthenticationChallenge(parsing: [0x0A, 0]).hash == .sha1)
        #expect(try !AuthenticationChallenge(parsing: [0x0A, 2, 0x08, 2]).isSupported)
        #expect(throws: CastError.self) { try AuthenticationChallenge(parsing: [0x12, 0]) }
        let proof = AuthenticationAnswer.proof([9], certificate: [8], intermediates: [[7]], to: challenge)
        #expect(proof == [0x12, 17, 0x0A, 1, 9, 0x12, 1, 8, 0x1A, 1, 7, 0x20, 1, 0x2A, 2, 1, 2, 0x30, 1])
        #expect(AuthenticationAnswer.refusal(2) == [0x1A, 2, 0x08, 2])
    }

    @Test
    func membersAreReadAsSendersWriteThem() {
        let object: JSONObject = ["n": "1.5", "i": 2.0, "t": "true", "f": 0, "null": .null, "list": [1, "2", .null]]
        #expect(object.number("n") == 1.5 && object.integer("i") == 2 && object.integers("list") == [1, 2])
        #expect(object.flag("t") == true && object.flag("f") == false && object.flag("null") == nil)
        #expect(object.number("null") == nil && object.text("n") == "1.5")
        #expect(object.withoutNulls["null"] == nil)
    }

    @Test
    func theSmallestPictureThatCoversTheSizeIsChosen() {
        func image(_ name: String, _ width: Int, _ height: Int) -> CastImage {
            CastImage(url: name, size: CastImage.Size(width: width, height: height))
        }
        let images = [
            image("small", 100, 100), image("large", 900, 900), image("fits", 400, 300), image("also", 400, 300),
        ]
        let wanted = CastImage.Size(width: 300, height: 200)
        #expect(images.best(for: wanted)?.url == "fits")
        #expect(images.best(for: CastImage.Size(width: 1_000, height: 10))?.url == "large")
        #expect([CastImage(url: "a"), CastImage(url: "b")].best(for: wanted)?.url == "a")
        #expect([CastImage(url: "a"), image("b", 1, 1)].best(for: wanted)?.url == "b")
        #expect([CastImage]().best(for: wanted) == nil)
    }
}
