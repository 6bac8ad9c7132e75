internal import HAPCore
internal import HAPTransport
internal import NIOCore

/// Takes turns: what waits lets the event loop look at its connections in between.
extension AccessoryServer {
    /// Does something when everything that waits already was done, and the event loop has looked at its connections in
    /// between.
    func waitForTurn(_ turn: Turn, isSession: Bool) {
        setAlarm(turns.add(turn, isSession: isSession, at: now))
    }

    private func setAlarm(_ alarm: TurnQueue.Alarm?) {
        guard let alarm else { return }
        schedule(after: alarm.delay) { $0.takeTurns(alarm.number) }
    }

    private func takeTurns(_ number: UInt64) {
        guard turns.begin(number) else { return }
        if let turn = turns.nextOfSession() {
            take(turn)
        }
        if let turn = turns.nextUnverified(at: now) {
            take(turn)
        }
        setAlarm(turns.nextAlarm(at: now))
    }

    private func take(_ turn: Turn) {
        switch turn {
        case .request(let request, of: let id):
            if let connection = connections[id], connection.closeReason == nil {
                routeInClear(request, from: connection)
            }
        case .rest(of: let id): connections[id]?.channel.goOn()
        case .accessories(of: let id, let turns):
            if let connection = connections[id] {
                readAccessories(from: connection, turn: turns)
            }
            noteHandlersAreIdle()
        case .events: takeEventTurn()
        }
    }
}
