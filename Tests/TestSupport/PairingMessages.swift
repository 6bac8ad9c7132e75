package import HAPCore

/// Pairing messages as a controller, or something that only looks like one, would send them.
package enum PairingMessages {
    /// A message of these items, whatever they are.
    package static func message(_ items: (type: TLVType, value: [UInt8])...) -> [UInt8] {
        var writer = TLV8Writer()
        for item in items {
            writer.write(item.value, item.type)
        }
        return writer.bytes
    }

    /// The value of one type in a message that a test knows to be well-formed.
    package static func value(_ type: TLVType, of message: [UInt8]) -> [UInt8]? {
        (try? TLV8Message(message, at: "test"))?[type]
    }
}

extension PairSetupAccessory.Action {
    /// The message of a reply.
    package var message: [UInt8]? {
        guard case .reply(let reply) = self else { return nil }
        return reply.message
    }

    /// What a reply means.
    package var outcome: PairingReply.Outcome? {
        guard case .reply(let reply) = self else { return nil }
        return reply.outcome
    }

    /// The code of a message that was rejected.
    package var rejection: ProtocolError.Code? {
        guard case .reject(let error) = self else { return nil }
        return error.code
    }
}
