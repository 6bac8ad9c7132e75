internal import HAPCore
internal import NIOCore

/// What a connection's bytes pass through: the codec, and what it has encoded and nobody has sent yet.
///
/// One value, so that a message costs its owner one access.
struct BufferedAccessoryCodec: ~Copyable {
    /// What an idle connection may keep for its next message, in bytes.
    static let retainedCapacity = 16 << 10

    var codec = AccessoryConnectionCodec()
    private var output = ByteBuffer()

    /// How many bytes wait to be sent.
    var unsentByteCount: Int {
        output.readableBytes
    }

    /// Encodes a composed message behind what waits to be sent, and returns how many bytes wait then.
    mutating func encode(_ message: [UInt8]) -> Int {
        message.withUnsafeBytes { encode($0) }
    }

    /// Encodes a part of a composed message behind what waits to be sent, and returns how many bytes wait then.
    mutating func encode(_ part: UnsafeRawBufferPointer) -> Int {
        if output.readableBytes == 0 {
            output.clear()
        }
        let size = codec.encodedSize(of: part.count)
        output.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { target in
            codec.encode(part, into: UnsafeMutableRawBufferPointer(rebasing: target[..<size]))
            return size
        }
        return output.readableBytes
    }

    /// Changes the last byte that waits: the frame that it belongs to does not hold what its tag says.
    mutating func corruptLastByte() {
        let last = output.writerIndex - 1
        if output.readableBytes > 0, let byte: UInt8 = output.getInteger(at: last) {
            output.setInteger(byte ^ 0x01, at: last)
        }
    }

    /// Takes out what waits to be sent.
    ///
    /// The next message uses the same memory if these bytes have left by then.
    mutating func takeUnsent() -> ByteBuffer {
        let unsent = output
        if output.capacity > Self.retainedCapacity {
            output = ByteBuffer()
        } else {
            output.moveReaderIndex(to: output.writerIndex)
        }
        return unsent
    }
}
