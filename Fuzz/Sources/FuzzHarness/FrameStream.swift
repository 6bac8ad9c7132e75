package import HAPCore

/// The result of decrypting a stream of frames.
package struct FrameStream: Equatable {
    package private(set) var plaintext: [UInt8] = []
    package private(set) var failure: ProtocolError?
    /// The number of remaining bytes that are not a complete frame; 0 after a failure.
    package private(set) var unopened = 0

    /// Decrypts pieces of a stream with these keys.
    package init(opening bytes: [UInt8], cut cuts: Cuts?, with keys: SessionKeys) {
        var opener = keys.takeOpener()
        var rest: [UInt8] = []
        var plaintext: [UInt8] = []
        var failure: ProtocolError?
        var target = [UInt8](repeating: 0, count: FrameFormat.maximumPlaintext)
        func receive(_ piece: UnsafeRawBufferPointer) {
            rest += piece
            while failure == nil {
                let step = rest.withUnsafeBytes { rest in
                    target.withUnsafeMutableBytes { target in
                        outcome { () throws(ProtocolError) in try opener.open(rest, into: target) }
                    }
                }
                switch step {
                case .success(.needsMoreBytes): return
                case .success(.frame(let consumed, let count)):
                    rest.removeFirst(consumed)
                    plaintext += target[..<count]
                case .failure(let error):
                    claim(error.code == .frame, "a frame that does not hold is the frame's fault")
                    failure = error
                }
            }
        }
        if var cuts {
            cuts.forEach(of: bytes, receive)
        } else {
            bytes.withUnsafeBytes(receive)
        }
        self.plaintext = plaintext
        self.failure = failure
        unopened = failure == nil ? rest.count : 0
    }
}
