/// What takes the plaintext of frames.
protocol FrameTarget {
    /// Lets `fill` write `count` bytes that arrived; when it returns false, nothing arrived.
    @discardableResult
    mutating func append(count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) -> Bool) -> Bool
}

extension HTTPRequestDecoder: FrameTarget {}
extension HTTPResponseDecoder: FrameTarget {}
