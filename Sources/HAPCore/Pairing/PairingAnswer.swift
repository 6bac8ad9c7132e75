/// Reads what an accessory answers to a controller's pairing message.
///
/// Items may come in any order and unknown ones are passed over; an error is one whatever the message's number is.
///
/// HAP: §6.3, §9
enum PairingAnswer {
    /// Reads a message, which must be the one numbered `state`.
    static func read(_ bytes: [UInt8], state: UInt8, at location: String) throws(PairingFailure) -> TLV8Message {
        let message = try check { () throws(ProtocolError) in try TLV8Message(bytes, at: location) }
        try check(message, state: state)
        return message
    }

    /// Reads a list, whose first element carries the number `state`.
    static func readList(_ bytes: [UInt8], state: UInt8, at location: String) throws(PairingFailure) -> [TLV8Message] {
        let elements = try check { () throws(ProtocolError) in try TLV8Message.list(bytes, at: location) }
        if let first = elements.first {
            try check(first, state: state)
        }
        return elements
    }

    /// Turns an error in reading the accessory's message into a failure of the exchange.
    static func check<Result>(
        _ body: () throws(ProtocolError) -> Result
    ) throws(PairingFailure) -> Result {
        do throws(ProtocolError) {
            return try body()
        } catch {
            throw .invalid(error)
        }
    }

    private static func check(_ message: TLV8Message, state: UInt8) throws(PairingFailure) {
        let error = try check { () throws(ProtocolError) in try message.optionalByte(.error) }
        if let error {
            if let known = PairingError(rawValue: error) { throw .refused(known) }
            throw .invalid(ProtocolError(.refused, "the accessory answered with error \(error)", at: message.location))
        }
        let number = try check { () throws(ProtocolError) in try message.state() }
        guard number == state else {
            throw .invalid(ProtocolError(.sequence, "the answer has state \(number)", at: message.location))
        }
    }
}
