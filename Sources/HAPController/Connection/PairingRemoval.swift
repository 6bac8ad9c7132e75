internal import HAPCore

/// Removes a controller's own pairing over a connection that has no session yet.
///
/// HAP: §7, §9
enum PairingRemoval {
    /// Opens a session and removes the pairing; an accessory that does not know this controller has none.
    static func run(
        on connection: AccessoryConnection,
        identity: ControllerIdentity,
        pairing: AccessoryPairing,
        configuration: ControllerConfiguration
    ) async throws(ControllerError) {
        do throws(ControllerError) {
            try await PairVerifyExchange.run(
                on: connection,
                identity: identity,
                pairing: pairing,
                within: configuration.pairVerifyTime
            )
        } catch  where error.code == .refused(.authentication) {
            return
        }
        let request = HTTPRequest(.post, .pairings, body: PairingsController.removeMessage(identity.identifier))
        let answer = try await connection.request(request, within: configuration.requestTime)
        guard answer.status == 200 else { throw .requestFailed("a request about pairings", http: answer.status) }
        do throws(PairingFailure) {
            try PairingsController.readAcknowledgement(answer.body)
        } catch {
            throw ControllerError(error, at: connection.place)
        }
    }
}
