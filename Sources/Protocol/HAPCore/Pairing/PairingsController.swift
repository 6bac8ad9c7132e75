/// Requests about an accessory's pairings, and the parsing of their responses, on the controller's side.
///
/// HAP: §9
package enum PairingsController {
    /// Returns the request to add a pairing, or to change the permission of one with the same key.
    package static func addMessage(_ pairing: Pairing) -> [UInt8] {
        var writer = request(.addPairing)
        writer.write(pairing.identifier.bytes, .identifier)
        writer.write(pairing.publicKey.bytes, .publicKey)
        writer.write(pairing.isAdmin ? 1 : 0, .permissions)
        return writer.bytes
    }

    /// Returns the request to remove a pairing.
    package static func removeMessage(_ identifier: ControllerIdentifier) -> [UInt8] {
        var writer = request(.removePairing)
        writer.write(identifier.bytes, .identifier)
        return writer.bytes
    }

    /// Returns the request for all pairings.
    package static func listMessage() -> [UInt8] {
        request(.listPairings).bytes
    }

    /// Reads the response to a request that adds or removes a pairing; throws if the accessory did not execute it.
    package static func readAcknowledgement(_ body: [UInt8]) throws(PairingFailure) {
        _ = try PairingResponseReader.read(body, state: 2, at: "pairings M2")
    }

    /// Reads the response to a request for all pairings.
    ///
    /// An accessory may return no pairings. Permission bits other than the admin's are ignored.
    package static func readList(_ body: [UInt8]) throws(PairingFailure) -> [Pairing] {
        let elements = try PairingResponseReader.readList(body, state: 2, at: "pairings M2")
        var pairings: [Pairing] = []
        for element in elements where element[.identifier] != nil || element[.publicKey] != nil {
            let pairing = try PairingResponseReader.mappingErrors { () throws(ProtocolError) in
                let identifier = try element.controllerIdentifier()
                let publicKey = try element.longTermKey()
                let permissions = try element.byte(.permissions)
                return Pairing(identifier: identifier, publicKey: publicKey, isAdmin: permissions & 1 == 1)
            }
            pairings.append(pairing)
        }
        return pairings
    }

    private static func request(_ method: PairingMethod) -> TLV8Writer {
        var writer = TLV8Writer.message(1)
        writer.write(method.rawValue, .method)
        return writer
    }
}
