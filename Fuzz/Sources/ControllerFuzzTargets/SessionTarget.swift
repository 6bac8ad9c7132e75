import FuzzHarness
import HAPCore

/// A complete connection on the controller's side, with pending, canceled and overdue requests, and with any input from
/// the accessory, unencrypted and in frames.
///
/// For any input, each request ends exactly once. The end of the connection is reported once, and nothing follows it.
/// The result does not depend on how the input is cut into pieces.
enum SessionTarget: FuzzTarget {
    static let name = "session"

    static var seeds: [String: [UInt8]] {
        let ok = Array("HTTP/1.1 200 OK\r\n\r\n".utf8)
        let values = Array(#"{"characteristics":[{"aid":1,"iid":9,"value":1}]}"#.utf8)
        let database = Array(#"{"accessories":[{"aid":1,"services":[]}]}"#.utf8)
        func step(_ step: SessionStep, _ bytes: [UInt8] = []) -> [UInt8] {
            ByteSource.raw(step.rawValue, bytes)
        }
        let opening = step(.ask) + step(.message, ok) + step(.secure)
        return [
            "clear": [5] + step(.ask) + step(.bytes, ok) + step(.ask) + step(.bytes, ok),
            "session": [0] + opening + step(.ask) + step(.response, database) + step(.ask) + step(.event, values)
                + step(.response, values),
            "waiting": [9] + opening + step(.ask) + step(.ask) + step(.ask) + step(.cancel, [2])
                + step(.response, values)
                + step(.event, values) + step(.response, values) + step(.wait, [11]),
            "overdue": [9] + opening + step(.ask) + step(.wait, [3]) + step(.response, values) + step(.ask)
                + step(.wait, [60]) + step(.response, values),
            "unasked": [7] + opening + step(.event, values) + step(.response, values) + step(.ask),
            "damaged": [3] + opening + step(.ask) + step(.bytes, [9, 0] + [UInt8](repeating: 3, count: 25)),
            "nonsense": [3] + opening + step(.ask) + step(.message, Array("HTTP/1.1 abc\r\n\r\n".utf8)),
            "closed": [3] + opening + step(.ask) + step(.close) + step(.ask),
        ]
    }

    static func run(_ input: [UInt8]) {
        let whole = SessionRun(input, isCut: false)
        let pieces = SessionRun(input, isCut: true)
        claim(whole.log == pieces.log, "a session is the same whole and in pieces")
        for body in whole.bodies {
            // This corresponds to the part of `PairedAccessory` that decodes a response or an event.
            DatabaseTarget.run(body)
        }
    }
}

/// The steps of a connection, each with bytes.
enum SessionStep: UInt8, CaseIterable {
    /// A request.
    case ask
    /// Bytes that are delivered unchanged.
    case bytes
    /// A message, in frames within a session.
    case message
    /// A response with a body.
    case response
    /// An event with a body.
    case event
    /// The end of pair-verify.
    case secure
    /// A request is canceled.
    case cancel
    /// Some seconds pass.
    case wait
    /// The accessory closes the connection.
    case close
}
