/// Splits the bytes of a connection into frames: a length of four bytes, most significant first, and that many bytes.
///
/// See `docs/cast.md`.
package struct CastFrameDecoder: Sendable {
    /// The maximum number of bytes of a frame after its length.
    package static let maximumLength = 65_536

    private var bytes: [UInt8] = []
    private var start = 0

    package init() {}

    package mutating func append(_ more: some Sequence<UInt8>) {
        bytes.removeFirst(start)
        start = 0
        bytes += more
    }

    /// Returns the next whole frame without its length, or `nil` if more bytes are needed.
    ///
    /// - Throws: ``CastError`` if the frame is longer than ``maximumLength``; the connection is then of no more use.
    package mutating func next() throws(CastError) -> ArraySlice<UInt8>? {
        guard bytes.count - start >= 4 else { return nil }
        let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        guard length <= Self.maximumLength else { throw .frameTooLong(length) }
        guard bytes.count - start - 4 >= length else { return nil }
        defer { start += 4 + length }
        return bytes[start + 4..<start + 4 + length]
    }
}

/// The reason why bytes of a peer are not a valid message.
package enum CastError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A frame has this many bytes, which is more than ``CastFrameDecoder/maximumLength``.
    case frameTooLong(Int)
    /// A message does not have the form that the protocol requires.
    case malformed(String)

    package var description: String {
        switch self {
        case .frameTooLong(let length): "A frame of \(length) bytes is longer than \(CastFrameDecoder.maximumLength)."
        case .malformed(let reason): reason
        }
    }
}
