internal import HAPCore
internal import NIOCore

/// The state of pair-setup that all connections share.
struct PairSetupState {
    var slot: PairSetupSlot
    var serverKey = PreparedServerKey()
    /// The verifier of the setup code, which is computed before the first pair-setup.
    let verifier: SRPVerifier
    /// The current or the most recent computation of exponentiations.
    var computation: EventLoopFuture<Void>?

    init(_ limits: ConnectionLimits, code: SetupCode) {
        verifier = SRPVerifier(code: code)
        slot = PairSetupSlot(shortTurnTime: limits.pairSetupShortTurnTime, turnTime: limits.pairSetupTurnTime)
    }
}
