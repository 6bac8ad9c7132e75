package import HAPCore

extension FrameSealer {
    /// Returns the frames of a message.
    package mutating func sealed(_ message: [UInt8]) -> [UInt8] {
        var frames = [UInt8](repeating: 0, count: Self.sealedSize(of: message.count))
        let written = message.withUnsafeBytes { message in
            frames.withUnsafeMutableBytes { seal(message, into: $0) }
        }
        claim(written == frames.count, "frames have the size that was told")
        return frames
    }
}
