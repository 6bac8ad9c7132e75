package import HAPCore

/// Pairing messages of a controller, valid or malformed.
package enum PairingMessages {
    /// Returns a message of these items, without checking them.
    package static func message(_ items: (type: TLVType, value: [UInt8])...) -> [UInt8] {
        var writer = TLV8Writer()
        for item in items {
            writer.write(item.value, item.type)
        }
        return writer.bytes
    }

    /// Returns a message with the items of these types from another one; `change` returns a new value, or `nil` to omit
    /// the item.
    package static func message(
        of types: [TLVType],
        in original: [UInt8],
        changedBy change: (TLVType, [UInt8]) -> [UInt8]?
    ) throws -> [UInt8] {
        var writer = TLV8Writer()
        for type in types {
            guard let value = value(type, of: original) else { throw TestFailure("\(type) is missing") }
            if let changed = change(type, value) {
                writer.write(changed, type)
            }
        }
        return writer.bytes
    }

    /// Returns a message whose content is encrypted.
    package static func message(
        state: UInt8,
        sealing content: [UInt8],
        _ label: PairingLabel,
        key: [UInt8]
    ) -> [UInt8] {
        let sealed = key.withUnsafeBytes { ChaChaPoly.seal(content, label: label, key: $0) }
        return message((.state, [state]), (.encryptedData, sealed))
    }

    /// Returns the request to add a pairing, or to change its permission.
    package static func add(_ pairing: Pairing) -> [UInt8] {
        message(
            (.state, [1]),
            (.method, [3]),
            (.identifier, pairing.identifier.bytes),
            (.publicKey, pairing.publicKey.bytes),
            (.permissions, [pairing.isAdmin ? 1 : 0])
        )
    }

    /// Returns the request to remove a pairing.
    package static func remove(_ identifier: ControllerIdentifier) -> [UInt8] {
        message((.state, [1]), (.method, [4]), (.identifier, identifier.bytes))
    }

    /// The request for the list of all pairings.
    package static let list = message((.state, [1]), (.method, [5]))

    /// Returns the pairings in the response to ``list``.
    package static func pairings(in response: [UInt8]) throws -> [Pairing] {
        try TLV8Message.list(response, at: "pairings")
            .map { element in
                guard let identifier = element[.identifier].flatMap({ ControllerIdentifier($0) }),
                    let publicKey = element[.publicKey].flatMap({ Ed25519PublicKey($0) }),
                    let permissions = element[.permissions], permissions.count == 1
                else { throw TestFailure("a pairing in the list lacks an item") }
                return Pairing(identifier: identifier, publicKey: publicKey, isAdmin: permissions == [1])
            }
    }

    /// Returns the value of a type in a message, or `nil` if it is missing or the message is malformed.
    package static func value(_ type: TLVType, of message: [UInt8]) -> [UInt8]? {
        (try? TLV8Message(message, at: "test"))?[type]
    }

    /// Returns the error in a response, or `nil` if the request succeeded.
    package static func error(of response: [UInt8]) -> PairingErrorCode? {
        value(.error, of: response)?.first.flatMap(PairingErrorCode.init)
    }
}

extension PairSetupAccessory.Action {
    /// The message of a reply.
    package var message: [UInt8]? {
        guard case .respond(let reply) = self else { return nil }
        return reply.message
    }

    /// The outcome that a reply represents.
    package var outcome: PairingResponse.Outcome? {
        guard case .respond(let reply) = self else { return nil }
        return reply.outcome
    }

    /// The code of a message that was rejected.
    package var refusalCode: ProtocolError.Code? {
        guard case .refuse(let error) = self else { return nil }
        return error.code
    }
}
