package import HAPCore

/// A message between a sender and a receiver.
///
/// See `docs/cast.md`.
package struct CastMessage: Sendable, Hashable {
    package enum Payload: Sendable, Hashable {
        /// Usually JSON.
        case text(String)
        /// JSON that is parsed already, or is encoded when the message is sent.
        case object(JSONObject)
        case binary([UInt8])
    }

    /// Who sends it, such as `sender-0`.
    package var source: String
    /// For whom it is: `receiver-0`, the transport id of an app, or `*` for all senders.
    package var destination: String
    package var namespace: String
    package var payload: Payload

    package init(from source: String, to destination: String, _ namespace: String, _ payload: Payload) {
        (self.source, self.destination) = (source, destination)
        (self.namespace, self.payload) = (namespace, payload)
    }

    /// Parses a frame without its length.
    ///
    /// Fields that are missing are empty, and unknown ones are ignored.
    ///
    /// - Throws: ``CastError`` if a field has another wire type than it should, or is cut off.
    package init(parsing frame: ArraySlice<UInt8>) throws(CastError) {
        (source, destination, namespace) = ("", "", "")
        var reader = ProtocolBufferReader(frame)
        var text: [UInt8] = []
        var binary: [UInt8] = []
        var isBinary = false
        while let (field, value) = try reader.next() {
            switch field {
            case 2: source = try value.text("source_id")
            case 3: destination = try value.text("destination_id")
            case 4: namespace = try value.text("namespace")
            case 5: isBinary = try value.number("payload_type") == 1
            case 6: text = try value.bytes("payload_utf8")
            case 7: binary = try value.bytes("payload_binary")
            default: break
            }
        }
        payload = isBinary ? .binary(binary) : .text(String(decoding: text, as: UTF8.self))
    }

    /// The JSON object in the message; `nil` if it contains something else.
    package var object: JSONObject? {
        switch payload {
        case .text(let text): try? JSONValue(parsing: Array(text.utf8)).object
        case .object(let object): object
        case .binary: nil
        }
    }

    /// The message with its text parsed; `nil` if the text is not a JSON object.
    package var decoded: CastMessage? {
        object.map { CastMessage(from: source, to: destination, namespace, .object($0)) }
    }

    /// The bytes on the wire, with their length; `nil` if the message is too long to be sent.
    package var frame: [UInt8]? {
        var writer = ProtocolBufferWriter()
        writer.write(1, number: 0)
        writer.write(2, bytes: source.utf8)
        writer.write(3, bytes: destination.utf8)
        writer.write(4, bytes: namespace.utf8)
        switch payload {
        case .text(let text):
            writer.write(5, number: 0)
            writer.write(6, bytes: text.utf8)
        case .object(let object):
            writer.write(5, number: 0)
            writer.write(6, bytes: JSONValue.object(object).encoded)
        case .binary(let bytes):
            writer.write(5, number: 1)
            writer.write(7, bytes: bytes)
        }
        let body = writer.bytes
        guard body.count <= CastFrameDecoder.maximumLength else { return nil }
        return (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (24 - 8 * $0)) } + body
    }
}
