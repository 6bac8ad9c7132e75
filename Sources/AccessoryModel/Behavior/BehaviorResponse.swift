public import HAPCore

/// How a behaviour takes a write.
public struct BehaviorResponse: Sendable, Hashable {
    /// The written characteristics that are refused, each with the reason; every other one is accepted.
    public var refusals: [CharacteristicType: HAPStatus]
    /// What changes because of the accepted ones.
    public var changes: [BehaviorChange]

    /// Creates a response; without arguments, everything is accepted and nothing else changes.
    public init(refusals: [CharacteristicType: HAPStatus] = [:], changes: [BehaviorChange] = []) {
        self.refusals = refusals
        self.changes = changes
    }
}
