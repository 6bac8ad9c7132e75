import HAPCore
import TestSupport
import Testing

struct FrameTests {
    @Test(arguments: Vectors.all.frames.cases.filter { $0.mustFail != true && $0.length > 0 })
    func messageIsSealedIntoTheVectorFrames(_ vector: Vectors.Frames.Case) throws {
        var sealer = FrameSealer(Self.secret(vector.key), .accessoryToController, counter: vector.firstCounter)
        let plaintext = [UInt8](hex: try #require(vector.plaintext))
        #expect(Self.seal(plaintext, with: &sealer).hex == vector.frames.joined())
        let nextCounter = try #require(vector.nextCounter)
        var next = FrameSealer(Self.secret(vector.key), .accessoryToController, counter: nextCounter)
        #expect(Self.seal([1], with: &sealer) == Self.seal([1], with: &next))
    }

    @Test(arguments: Vectors.all.frames.cases.filter { $0.mustFail != true }, [Int.max, 1, 7, 1_000])
    func vectorFramesAreOpenedFromPiecesOfAnySize(_ vector: Vectors.Frames.Case, pieceSize: Int) throws {
        var opener = FrameOpener(Self.secret(vector.key), .accessoryToController, counter: vector.firstCounter)
        let opened = try Self.open([UInt8](hex: vector.frames.joined()), with: &opener, pieceSize: pieceSize)
        #expect(opened.hex == vector.plaintext)
    }

    @Test(arguments: Vectors.all.frames.cases.filter { $0.mustFail == true })
    func aFrameWithAWrongTagIsRefused(_ vector: Vectors.Frames.Case) throws {
        var opener = FrameOpener(Self.secret(vector.key), .accessoryToController, counter: vector.firstCounter)
        expectRefusal([UInt8](hex: vector.frames.joined()), by: &opener)
    }

    @Test(arguments: [0, 1, 1_023, 1_024, 1_025, 2_047, 2_048, 2_049, 10_000])
    func aMessageOfAnySizePassesThrough(_ count: Int) throws {
        var sealer = Self.sealer()
        var opener = Self.opener()
        let plaintext = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let sealed = Self.seal(plaintext, with: &sealer)
        #expect(sealed.count == FrameSealer.sealedSize(of: count))
        #expect(sealed.count == count + 18 * ((count + 1_023) / 1_024))
        #expect(try Self.open(sealed, with: &opener, pieceSize: 1) == plaintext)
    }

    @Test func emptyMessageNeedsNoFrame() {
        var sealer = Self.sealer()
        #expect(Self.seal([], with: &sealer).isEmpty)
    }

    @Test(arguments: [1_025, 1_026, 0x7FFF, 0xFFFF])
    func aLengthAbove1024IsRefusedAsSoonAsItIsRead(_ length: Int) {
        var opener = Self.opener()
        let header = [UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8)]
        expectRefusal(header, by: &opener)
    }

    @Test func lengthIsAuthenticated() {
        var sealer = Self.sealer()
        var opener = Self.opener()
        var sealed = Self.seal([1, 2, 3], with: &sealer)
        sealed[0] = 2
        expectRefusal(sealed, by: &opener)
    }

    @Test func everyFlippedBitIsDetected() {
        for position in 2..<21 {
            var sealer = Self.sealer()
            var opener = Self.opener()
            var sealed = Self.seal([1, 2, 3], with: &sealer)
            sealed[position] ^= 1
            expectRefusal(sealed, by: &opener)
        }
    }

    @Test func openerRefusesEverythingAfterARefusedFrame() throws {
        var sealer = Self.sealer()
        var opener = Self.opener()
        let sealed = Self.seal([1], with: &sealer)
        var broken = sealed
        broken[2] ^= 1
        expectRefusal(broken, by: &opener)
        expectRefusal(sealed, by: &opener)
    }

    @Test func aFrameIsNotOpenedTwice() throws {
        var sealer = Self.sealer()
        var opener = Self.opener()
        let sealed = Self.seal([1], with: &sealer)
        #expect(try Self.open(sealed, with: &opener, pieceSize: .max) == [1])
        expectRefusal(sealed, by: &opener)
    }

    @Test func sixteenConsecutiveEmptyFramesAreAcceptedAndTheNextIsRefused() throws {
        var opener = Self.opener()
        for counter in 0..<16 {
            #expect(try Self.open(emptyFrame(counter), with: &opener, pieceSize: .max) == [])
        }
        expectRefusal(emptyFrame(16), by: &opener)
    }

    @Test func nonEmptyFrameResetsTheCountOfEmptyFrames() throws {
        var opener = Self.opener()
        for counter in 0..<16 {
            _ = try Self.open(emptyFrame(counter), with: &opener, pieceSize: .max)
        }
        var sealer = FrameSealer(Self.secret(Self.key), .accessoryToController, counter: 16)
        #expect(try Self.open(Self.seal([9], with: &sealer), with: &opener, pieceSize: .max) == [9])
        for counter in 17..<33 {
            #expect(try Self.open(emptyFrame(counter), with: &opener, pieceSize: .max) == [])
        }
        expectRefusal(emptyFrame(33), by: &opener)
    }

    @Test func lastNonceIsRefusedWithoutTrapping() {
        var opener = FrameOpener(Self.secret(Self.key), .accessoryToController, counter: .max)
        expectRefusal([UInt8](hex: Vectors.all.frames.cases[0].frames.joined()), by: &opener)
    }

    @Test func directionsHaveSeparateKeys() {
        let secret = SessionSecret(keys: .random(count: 64))
        var sealer = FrameSealer(secret, .accessoryToController)
        var opener = FrameOpener(secret, .controllerToAccessory)
        expectRefusal(Self.seal([1], with: &sealer), by: &opener)
    }

    @Test func incompleteFrameIsLeftUnread() throws {
        var sealer = Self.sealer()
        var opener = Self.opener()
        let sealed = Self.seal([1, 2, 3], with: &sealer)
        var target = [UInt8](repeating: 0, count: 1_024)
        for count in 0..<sealed.count {
            let step = try Array(sealed[..<count])
                .withUnsafeBytes { input in
                    try target.withUnsafeMutableBytes { try opener.open(input, into: $0) }
                }
            #expect(step == .needsMoreBytes)
        }
        let step = try (sealed + [7])
            .withUnsafeBytes { input in
                try target.withUnsafeMutableBytes { try opener.open(input, into: $0) }
            }
        #expect(step == .frame(consumed: sealed.count, plaintext: 3))
    }

    @Test func frameLengthCanBePeeked() {
        #expect([UInt8]([]).withUnsafeBytes { FrameOpener.peekLength(of: $0) } == nil)
        #expect([UInt8]([1]).withUnsafeBytes { FrameOpener.peekLength(of: $0) } == nil)
        #expect([UInt8]([0, 4]).withUnsafeBytes { FrameOpener.peekLength(of: $0) } == 1_024)
        #expect([UInt8]([0xFF, 0xFF]).withUnsafeBytes { FrameOpener.peekLength(of: $0) } == 0xFFFF)
    }
}

// MARK: - Session

extension FrameTests {
    @Test func vectorSessionIsSealedAndOpened() throws {
        let vector = Vectors.all.session
        let keys = Vectors.all.pairVerify
        let secret = SessionSecret(
            keys: SecretBytes(hex: keys.accessoryToControllerKey + keys.controllerToAccessoryKey)
        )
        let controller = SessionKeys(secret: secret, role: .controller)
        let accessory = SessionKeys(secret: secret, role: .accessory)
        var controllerSealer = controller.takeSealer()
        var accessorySealer = accessory.takeSealer()
        var controllerOpener = controller.takeOpener()
        var accessoryOpener = accessory.takeOpener()

        let request = Self.seal(Array(vector.request.text.utf8), with: &controllerSealer)
        #expect(request.hex == vector.request.frames.joined())
        #expect(try Self.open(request, with: &accessoryOpener, pieceSize: 1) == Array(vector.request.text.utf8))

        let response = Self.seal(Array(vector.response.text.utf8), with: &accessorySealer)
        #expect(response.hex == vector.response.frames.joined())
        let event = Self.seal(Array(vector.event.text.utf8), with: &accessorySealer)
        #expect(event.hex == vector.event.frames.joined())
        let both = try Self.open(response + event, with: &controllerOpener, pieceSize: 1)
        #expect(both == Array((vector.response.text + vector.event.text).utf8))
    }
}

// MARK: - Helpers

extension FrameTests {
    static let key = Vectors.all.frames.cases[0].key

    /// Returns a session secret that has the same key for both directions.
    static func secret(_ key: String) -> SessionSecret {
        SessionSecret(keys: SecretBytes(hex: key + key))
    }

    /// Returns a sealer that starts with the first frame.
    static func sealer() -> FrameSealer {
        FrameSealer(secret(key), .accessoryToController)
    }

    /// Returns an opener that starts with the first frame.
    static func opener() -> FrameOpener {
        FrameOpener(secret(key), .accessoryToController)
    }

    static func seal(_ plaintext: [UInt8], with sealer: inout FrameSealer) -> [UInt8] {
        var target = [UInt8](repeating: 0, count: FrameSealer.sealedSize(of: plaintext.count))
        let written = plaintext.withUnsafeBytes { plaintext in
            target.withUnsafeMutableBytes { sealer.seal(plaintext, into: $0) }
        }
        return Array(target[..<written])
    }

    /// Opens frames that arrive in pieces of `pieceSize` bytes, as from a socket.
    static func open(_ sealed: [UInt8], with opener: inout FrameOpener, pieceSize: Int) throws -> [UInt8] {
        var unread: [UInt8] = []
        var opened: [UInt8] = []
        var rest = sealed[...]
        var target = [UInt8](repeating: 0, count: 1_024)
        while !rest.isEmpty {
            unread += rest.prefix(pieceSize)
            rest = rest.dropFirst(pieceSize)
            feeding: while true {
                let step = try unread.withUnsafeBytes { input in
                    try target.withUnsafeMutableBytes { try opener.open(input, into: $0) }
                }
                switch step {
                case .needsMoreBytes:
                    break feeding
                case .frame(let consumed, let plaintext):
                    unread.removeFirst(consumed)
                    opened += target[..<plaintext]
                }
            }
        }
        #expect(unread.isEmpty)
        return opened
    }

    /// Returns an empty frame, which a sealer never creates.
    private func emptyFrame(_ counter: Int) -> [UInt8] {
        var frame = [UInt8](repeating: 0, count: 18)
        frame.withUnsafeMutableBytes { frame in
            [UInt8](hex: Self.key)
                .withUnsafeBytes { key in
                    ChaChaPoly.seal(
                        UnsafeRawBufferPointer(start: nil, count: 0),
                        authenticating: UnsafeRawBufferPointer(rebasing: frame[..<2]),
                        nonce: UInt64(counter),
                        key: key,
                        into: UnsafeMutableRawBufferPointer(rebasing: frame[2...])
                    )
                }
        }
        return frame
    }

    private func expectRefusal(
        _ sealed: [UInt8],
        by opener: inout FrameOpener,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        do {
            _ = try Self.open(sealed, with: &opener, pieceSize: .max)
            Issue.record("the frame was not refused", sourceLocation: sourceLocation)
        } catch {
            #expect((error as? ProtocolError)?.code == .frame, sourceLocation: sourceLocation)
        }
    }
}
