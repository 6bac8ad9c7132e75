package import HAPCore

/// The result of decoding an HTTP stream: the messages, and how it ended.
package struct HTTPStream<Message: Equatable>: Equatable {
    package var messages: [Message] = []
    package var failure: ProtocolError?
    /// Whether bytes remain that are not a complete message.
    package var isMidMessage = false

    package init() {}

    /// Reads messages until none is left or an error occurs.
    package mutating func take(_ next: () throws(ProtocolError) -> Message?) {
        do throws(ProtocolError) {
            while let message = try next() {
                claim(failure == nil, "nothing is decoded after a fault")
                messages.append(message)
            }
        } catch {
            claim(failure == nil || failure == error, "a fault is final")
            failure = error
        }
    }
}

extension HTTPStream where Message == HTTPRequest {
    /// Decodes requests from pieces.
    package static func requests(_ bytes: [UInt8], cut cuts: Cuts?, limits: HTTPLimits) -> HTTPStream {
        var decoder = HTTPRequestDecoder(limits: limits)
        var stream = HTTPStream()
        func receive(_ piece: UnsafeRawBufferPointer) {
            decoder.append(piece)
            stream.take { () throws(ProtocolError) in try decoder.next() }
            claim(
                decoder.bufferedByteCount <= limits.maximumHeadBytes + limits.maximumBodyBytes,
                "no more waits than one message may have"
            )
        }
        if var cuts {
            cuts.forEach(of: bytes, receive)
        } else {
            bytes.withUnsafeBytes(receive)
        }
        stream.isMidMessage = decoder.isMidRequest
        return stream
    }
}

extension HTTPStream where Message == HTTPMessage {
    /// Decodes responses and events from pieces.
    package static func messages(_ bytes: [UInt8], cut cuts: Cuts?, limits: HTTPLimits) -> HTTPStream {
        var decoder = HTTPResponseDecoder(limits: limits)
        var stream = HTTPStream()
        func receive(_ piece: UnsafeRawBufferPointer) {
            decoder.append(piece)
            stream.take { () throws(ProtocolError) in try decoder.next() }
        }
        if var cuts {
            cuts.forEach(of: bytes, receive)
        } else {
            bytes.withUnsafeBytes(receive)
        }
        stream.isMidMessage = decoder.isMidMessage
        return stream
    }
}
