internal import AccessoryModel
public import HAPCore

extension PairedAccessory {
    /// The controllers that the accessory is paired with.
    ///
    /// HAP: §9
    ///
    /// - Throws: ``ControllerError/Code/refused(_:)`` when this controller is no admin, and others.
    public func pairings() async throws(ControllerError) -> [Pairing] {
        let (response, session) = try await sendPairingRequest(PairingsController.listMessage())
        do throws(PairingFailure) {
            return try PairingsController.readList(response)
        } catch {
            throw handleFailure(error, session)
        }
    }

    /// Lets another controller open sessions, or changes whether it is an admin.
    ///
    /// HAP: §9
    public func add(_ pairing: Pairing) async throws(ControllerError) {
        try await sendPairingChange(PairingsController.addMessage(pairing))
    }

    /// Takes a controller's permission to open sessions away; nothing happens when it has none.
    ///
    /// Without an admin the accessory forgets all of them. To remove this controller itself, ``unpair()``.
    ///
    /// HAP: §9
    public func remove(_ identifier: ControllerIdentifier) async throws(ControllerError) {
        try await sendPairingChange(PairingsController.removeMessage(identifier))
    }

    /// Ends the pairing, at the accessory first and then in the store.
    ///
    /// An accessory that proves who it is and does not know this controller any more has ended it before.
    ///
    /// - Throws: ``ControllerError`` when the accessory does not do it: then the pairing is still kept.
    public func unpair() async throws(ControllerError) {
        if try await isPairedWithController() {
            do throws(ControllerError) {
                try await removeOwnPairing()
            } catch  where error.code == .connectionLost || error.code == .timedOut {
                // Whether it was done is not known; another session, or its refusal, tells. Some that are left without a
                // pairing refuse before they show who they are.
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

    /// Whether the accessory opens a session with this controller, or says that it has no pairing with it.
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
