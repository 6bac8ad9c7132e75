internal import AccessoryModel
public import HAPCore

extension PairedAccessory {
    /// The controllers that the accessory is paired with.
    ///
    /// HAP: §9
    ///
    /// - Throws: ``ControllerError/Code/refused(_:)`` when this controller is no admin, and others.
    public func pairings() async throws(ControllerError) -> [Pairing] {
        let (answer, session) = try await askAboutPairings(PairingsController.listMessage())
        do throws(PairingFailure) {
            return try PairingsController.readList(answer)
        } catch {
            throw failed(error, session)
        }
    }

    /// Lets another controller open sessions, or changes whether it is an admin.
    ///
    /// HAP: §9
    public func add(_ pairing: Pairing) async throws(ControllerError) {
        try await change(PairingsController.addMessage(pairing))
    }

    /// Takes a controller's permission to open sessions away; nothing happens when it has none.
    ///
    /// Without an admin the accessory forgets all of them. To remove this controller itself, ``unpair()``.
    ///
    /// HAP: §9
    public func remove(_ identifier: ControllerIdentifier) async throws(ControllerError) {
        try await change(PairingsController.removeMessage(identifier))
    }

    /// Ends the pairing, at the accessory first and then in the store.
    ///
    /// An accessory that proves who it is and does not know this controller any more has ended it before.
    ///
    /// - Throws: ``ControllerError`` when the accessory does not do it: then the pairing is still kept.
    public func unpair() async throws(ControllerError) {
        if try await knowsController() {
            do throws(ControllerError) {
                try await removeOwnPairing()
            } catch  where error.code == .connectionLost || error.code == .timedOut {
                // Whether it was done is not known; another session, or its refusal, tells. Some that are left without a
                // pairing refuse before they show who they are.
                do throws(ControllerError) {
                    if try await knowsController() {
                        try await removeOwnPairing()
                    }
                } catch  where error.code == .unproven(.authentication) {}
            }
        }
        try await ControllerError.storing { () async throws(StoreError) in try await store?.remove(pairing) }
        close()
    }

    /// Whether the accessory opens a session with this controller, or says that it has no pairing with it.
    private func knowsController() async throws(ControllerError) -> Bool {
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

    private func change(_ message: [UInt8]) async throws(ControllerError) {
        let (answer, session) = try await askAboutPairings(message)
        do throws(PairingFailure) {
            try PairingsController.readAcknowledgement(answer)
        } catch {
            throw failed(error, session)
        }
    }

    private func askAboutPairings(
        _ message: [UInt8]
    ) async throws(ControllerError) -> (body: [UInt8], session: AccessorySession) {
        let session = try await session()
        let answer = try await session.ask(HTTPRequest(.post, .pairings, body: message))
        guard answer.status == 200 else { throw .requestFailed("a request about pairings", http: answer.status) }
        return (answer.body, session)
    }

    private func failed(_ failure: PairingFailure, _ session: AccessorySession) -> ControllerError {
        switch failure {
        case .invalid(let fault): session.end(over: fault)
        case .refused: ControllerError(failure, at: session.connection.place)
        }
    }
}
