internal import HAPCore
internal import NIOCore

/// The state of pair-setup that all connections share.
struct PairSetupState {
    var slot: PairSetupSlot
    var serverKey = PreparedServerKey()
    /// The exponentiations that are being computed, or were the last.
    var computation: EventLoopFuture<Void>?

    init(_ limits: ConnectionLimits) {
        slot = PairSetupSlot(shortTurnTime: limits.pairSetupShortTurnTime, turnTime: limits.pairSetupTurnTime)
    }
}
