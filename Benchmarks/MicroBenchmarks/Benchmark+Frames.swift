import HAPCore

extension Benchmark {
    /// Encrypts a response of 125 bytes, the size of a response to a read.
    static func seal(iterations: Int) throws -> Benchmark {
        let message = [UInt8](repeating: 0x20, count: 125)
        var sealer = sessionKeys(.accessory).takeSealer()
        var target = [UInt8](repeating: 0, count: FrameSealer.sealedSize(of: message.count))
        var total = 0
        return Benchmark(
            run: {
                for _ in 0..<iterations {
                    total += message.withUnsafeBytes { message in
                        target.withUnsafeMutableBytes { sealer.seal(message, into: $0) }
                    }
                }
            },
            check: { try expect(total == iterations * target.count) }
        )
    }

    /// Decrypts a request of 71 bytes, the size of a read.
    static func open(iterations: Int) throws -> Benchmark {
        let message = [UInt8](repeating: 0x20, count: 71)
        var sealer = sessionKeys(.controller).takeSealer()
        var opener = sessionKeys(.accessory).takeOpener()
        let frames = (0..<iterations)
            .map { _ in
                var frame = [UInt8](repeating: 0, count: FrameSealer.sealedSize(of: message.count))
                message.withUnsafeBytes { message in
                    frame.withUnsafeMutableBytes { _ = sealer.seal(message, into: $0) }
                }
                return frame
            }
        var target = [UInt8](repeating: 0, count: FrameFormat.maximumPlaintext)
        return Benchmark(
            run: {
                for frame in frames {
                    _ = try frame.withUnsafeBytes { frame in
                        try target.withUnsafeMutableBytes { try opener.open(frame, into: $0) }
                    }
                }
            },
            check: { try expect(target.starts(with: message)) }
        )
    }

    private static func sessionKeys(_ role: SessionRole) -> SessionKeys {
        let secret = SecretBytes(copying: [UInt8](0..<64))
        return SessionKeys(secret: SessionSecret(keys: secret), role: role)
    }

    static func expect(_ isTrue: Bool) throws {
        guard isTrue else { throw BenchmarkFailure("the work did not do what it should") }
    }
}
