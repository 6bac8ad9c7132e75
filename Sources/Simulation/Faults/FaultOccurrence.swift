/// How a fault comes about, and with that which limits it can have.
package enum FaultOccurrence: Sendable, Hashable {
    /// It acts on one thing after the other: requests, answers, events, connections.
    case repeated
    /// It holds all the time.
    case lasting
    /// It happens once, when it is added.
    case momentary

    /// Whether it can be limited to a count.
    package var takesCount: Bool {
        self == .repeated
    }

    /// Whether it can be limited to a time.
    package var takesDuration: Bool {
        self != .momentary
    }
}
