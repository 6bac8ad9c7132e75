internal import HAPCore
internal import NIOCore

/// The state of pair-setup that all connections share.
struct PairSetupState {
    var slot: PairSetupSlot
    var serverKey = PreparedServerKey()
    /// The current or the most recent computation of exponentiations.
    var computation: EventLoopFuture<Void>?

    init(_ limits: ConnectionLimits) {
        slot = PairSetupSlot(shortTurnTime: limits.pairSetupShortTurnTime, turnTime: limits.pairSetupTurnTime)
    }
}
