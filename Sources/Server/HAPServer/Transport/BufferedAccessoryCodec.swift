internal import HAPCore
internal import NIOCore

/// The codec of a connection, together with its unsent output.
///
/// They are one value, so that the owner accesses only one stored property per message.
struct BufferedAccessoryCodec: ~Copyable {
    /// The number of bytes that an idle connection may keep for its next message.
    static let retainedCapacity = 16 << 10

    var codec = AccessoryConnectionCodec()
    private var output = ByteBuffer()

    /// The number of unsent bytes.
    var unsentByteCount: Int {
        output.readableBytes
    }

    /// Encrypts an encoded message, appends it to the unsent bytes, and returns the number of unsent bytes.
    mutating func encode(_ message: [UInt8]) -> Int {
        message.withUnsafeBytes { encode($0) }
    }

    /// Encrypts a part of an encoded message, appends it to the unsent bytes, and returns the number of unsent bytes.
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

    /// Changes the last unsent byte, so that its frame has a wrong tag.
    mutating func corruptLastByte() {
        let last = output.writerIndex - 1
        if output.readableBytes > 0, let byte: UInt8 = output.getInteger(at: last) {
            output.setInteger(byte ^ 0x01, at: last)
        }
    }

    /// Removes the unsent bytes and returns them; `nil` if there are none.
    ///
    /// The next message reuses their memory if they have been sent by then.
    mutating func takeUnsent() -> ByteBuffer? {
        guard output.readableBytes > 0 else { return nil }
        let unsent = output
        if output.capacity > Self.retainedCapacity {
            output = ByteBuffer()
        } else {
            output.moveReaderIndex(to: output.writerIndex)
        }
        return unsent
    }
}
