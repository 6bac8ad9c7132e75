/// Both directions of an encrypted byte stream, for a protocol whose messages another module reads.
///
/// HAP: §8
package struct SessionStream: ~Copyable {
    private var decoder: FrameDecoder
    private var sealer: FrameSealer

    /// Takes the sealer and the opener of the keys.
    package init(_ keys: SessionKeys) {
        decoder = FrameDecoder(keys.takeOpener(), unopened: [])
        sealer = keys.takeSealer()
    }

    /// Returns the plaintext of the frames that are complete.
    ///
    /// - Throws: ``ProtocolError`` for a wrong frame; the connection is then of no more use.
    package mutating func open(_ bytes: [UInt8]) throws(ProtocolError) -> [UInt8] {
        var plaintext = PlaintextBuffer()
        try bytes.withBytes { (bytes) throws(ProtocolError) in try decoder.receive(bytes, into: &plaintext) }
        return plaintext.bytes
    }

    /// Returns the frames of a message.
    package mutating func seal(_ message: [UInt8]) -> [UInt8] {
        let size = FrameSealer.sealedSize(of: message.count)
        return [UInt8](unsafeUninitializedCapacity: size) { target, count in
            count = message.withUnsafeBytes { sealer.seal($0, into: UnsafeMutableRawBufferPointer(target)) }
        }
    }
}

/// The plaintext of frames.
private struct PlaintextBuffer: PlaintextSink {
    var bytes: [UInt8] = []

    mutating func append(count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) -> Bool) -> Bool {
        let start = bytes.count
        bytes += [UInt8](repeating: 0, count: count)
        let isFilled = bytes.withUnsafeMutableBytes { fill(UnsafeMutableRawBufferPointer(rebasing: $0[start...])) }
        if !isFilled { bytes.removeLast(count) }
        return isFilled
    }
}
