/// Something that a server is to do wrong on purpose.
package struct Fault: Sendable, Hashable {
    /// What goes wrong.
    package var effect: FaultEffect
    /// Where.
    package var scope: FaultScope
    /// For how long.
    package var limit: FaultLimit

    /// Creates a fault; without a limit it lasts until it is cleared.
    package init(_ effect: FaultEffect, on scope: FaultScope = .server, limit: FaultLimit = FaultLimit()) {
        self.effect = effect
        self.scope = scope
        self.limit = limit
    }
}
