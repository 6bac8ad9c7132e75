/// Who writes to a server, one after the other, in the order in which it was decided.
struct ServerLine {
    private var nextTicket = 0
    private var served = 0
    private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]

    /// Takes the place at the end.
    mutating func takeTicket() -> Int {
        defer { nextTicket += 1 }
        return nextTicket
    }

    /// Whether it is a ticket's turn.
    func isTurn(of ticket: Int) -> Bool {
        ticket == served
    }

    /// Waits for a ticket's turn.
    mutating func wait(_ ticket: Int, _ continuation: CheckedContinuation<Void, Never>) {
        waiting[ticket] = continuation
    }

    /// Ends the turn of the one whose it is; returns who is next, when they wait already.
    mutating func next() -> CheckedContinuation<Void, Never>? {
        served += 1
        return waiting.removeValue(forKey: served)
    }
}
