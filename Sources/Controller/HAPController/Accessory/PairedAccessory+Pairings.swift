internal import AccessoryModel
public import HAPCore

extension PairedAccessory {
    /// The controllers that the accessory is paired with.
    ///
    /// HAP: §9
    ///
    /// - Throws: ``ControllerError``, with the code ``ControllerError/Code/refused(_:)`` if this controller is not an
    ///   admin.
    public func pairings() async throws(ControllerError) -> [Pairing] {
        let (response, session) = try await sendPairingRequest(PairingsController.listMessage())
        do throws(PairingFailure) {
            return try PairingsController.readList(response)
        } catch {
            throw handleFailure(error, session)
        }
    }

    /// Adds a pairing for another controller, or changes whether that controller is an admin.
    ///
    /// HAP: §9
    public func add(_ pairing: Pairing) async throws(ControllerError) {
        try await sendPairingChange(PairingsController.addMessage(pairing))
    }

    /// Removes the pairing of another controller; has no effect if there is none.
    ///
    /// Without an admin, the accessory removes all pairings. To remove this controller itself, use ``unpair()``.
    ///
    /// HAP: §9
    public func remove(_ identifier: ControllerIdentifier) async throws(ControllerError) {
        try await sendPairingChange(PairingsController.removeMessage(identifier))
    }

    /// Removes the pairing, on the accessory first and then from the store.
    ///
    /// If the accessory proves its identity but no longer knows this controller, it has already removed the pairing.
    ///
    /// - Throws: ``ControllerError`` if the accessory does not remove it; the pairing is still stored then.
    public func unpair() async throws(ControllerError) {
        if try await isPairedWithController() {
            do throws(ControllerError) {
                try await removeOwnPairing()
            } catch  where error.code == .connectionLost || error.code == .timedOut || error.meansUnknownSession {
                // It is unknown whether the pairing was removed. Opening another session shows it: the accessory
                // accepts or refuses it. Some accessories without pairings refuse before they prove their identity.
                do throws(ControllerError) {
                    if try await isPairedWithController() {
                        try await removeOwnPairing()
                    }
                } catch  where error.code == .unproven(.authentication) {}
            }
        }
        try await ControllerError.wrappingStoreErrors { () async throws(StoreError) in try await store?.remove(pairing)
        }
        close()
    }

    /// Returns whether the accessory opens a session with this controller; `false` if it reports that there is no
    /// pairing.
    private func isPairedWithController() async throws(ControllerError) -> Bool {
        do throws(ControllerError) {
            _ = try await session()
            return true
        } catch  where error.code == .refused(.authentication) {
            return false
        }
    }

    private func removeOwnPairing() async throws(ControllerError) {
        do throws(ControllerError) {
            try await remove(opener.identity.identifier)
        } catch  where error.code == .refused(.authentication) {
            throw .notAdmin(.authentication, alias: alias)
        }
    }

    private func sendPairingChange(_ message: [UInt8]) async throws(ControllerError) {
        let (response, session) = try await sendPairingRequest(message)
        do throws(PairingFailure) {
            try PairingsController.readAcknowledgement(response)
        } catch {
            throw handleFailure(error, session)
        }
    }

    private func sendPairingRequest(
        _ message: [UInt8]
    ) async throws(ControllerError) -> (body: [UInt8], session: AccessorySession) {
        let session = try await session()
        let response = try await session.send(HTTPRequest(.post, .pairings, body: message))
        guard response.status == 200 else { throw .requestFailed("a request about pairings", http: response.status) }
        return (response.body, session)
    }

    private func handleFailure(_ failure: PairingFailure, _ session: AccessorySession) -> ControllerError {
        switch failure {
        case .invalid(let fault): session.close(after: fault)
        case .refused: ControllerError(failure, at: session.connection.endpoint)
        }
    }
}
