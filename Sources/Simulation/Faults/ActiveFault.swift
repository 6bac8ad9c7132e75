package import HAPCore

/// A fault that is on a board, and how far it has come.
package struct ActiveFault: Sendable, Hashable {
    /// What it is cleared by.
    package let id: FaultID
    /// What it does.
    package let fault: Fault
    /// How often it acts before it is over; `nil` for any number of times.
    package internal(set) var remaining: Int?
    /// When it is over, on the clock of the simulation; `nil` for never by itself.
    package let deadline: MonotonicInstant?

    /// Whether its time is over.
    func isOver(at now: MonotonicInstant) -> Bool {
        deadline.map { $0 <= now } ?? false
    }
}
