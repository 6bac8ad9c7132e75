import FuzzHarness
import HAPCore

/// The controller's connection codec: unencrypted responses, then responses and events in frames.
///
/// The result does not depend on how the input is cut into pieces.
enum ControllerCodecTarget: FuzzTarget {
    static let name = "controller-codec"

    static var seeds: [String: [UInt8]] {
        var response: [UInt8] = []
        HTTPResponse(.multiStatus, contentType: .hapJSON, body: StatusBody.bytes(of: .busy)).append(to: &response)
        var event: [UInt8] = []
        HTTPEvent(body: Array(#"{"characteristics":[{"aid":1,"iid":9,"value":1}]}"#.utf8)).append(to: &event)
        let chunked = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n".utf8)
        return [
            "clear": [0, 5, 0xFF, 0xFF] + response + chunked,
            "session": [3, 5, 0, 0] + response + event + event + chunked,
            "switched": [1, 9, UInt8(response.count), 0] + response + event + response,
            "event-in-clear": [1, 9, UInt8(event.count), 0] + event + response,
            "cut-frames": [0x43, 0, 0, 0] + event + response,
            "damaged": [0x23, 3, 7, 0] + response,
        ]
    }

    static func run(_ input: [UInt8]) {
        let connection = FuzzSwitch(input, sentBy: .accessory)
        let whole = stream(of: connection, nil)
        connection.check(whole, stream(of: connection, connection.cuts))
        if connection.clear.isEmpty, !connection.isDamaged {
            var reference = HTTPStream<HTTPMessage>.messages(connection.plaintext, cut: nil, limits: .responses)
            // After an error, the connection does not report remaining bytes.
            reference.isMidMessage = reference.isMidMessage && reference.failure == nil
            claim(whole == reference, "frames carry what they carry in clear")
        }
    }

    private static func stream(of connection: FuzzSwitch, _ cuts: Cuts?) -> HTTPStream<HTTPMessage> {
        var codec = ControllerConnectionCodec()
        return connection.stream(
            cut: cuts,
            receive: { (piece) throws(ProtocolError) in try codec.receive(piece) },
            next: { () throws(ProtocolError) in try codec.nextMessage() },
            secure: {
                codec.secure(with: FuzzSession.keys(.controller))
                FuzzSwitch.checkEncoding(
                    openedBy: .accessory,
                    size: { codec.encodedSize(of: $0) },
                    encode: { codec.encode($0, into: $1) }
                )
            },
            isMidMessage: { codec.isMidMessage }
        )
    }
}
