internal import HAPCore
internal import NIOCore

/// Deferred work runs in turns, so that the event loop handles its connections in between.
extension AccessoryServer {
    /// Queues work.
    ///
    /// It runs after the work that already waits in the same line, and after the event loop has handled its
    /// connections.
    func deferWork(_ turn: DeferredWork, isSession: Bool) {
        scheduleTimer(deferredWork.add(turn, isSession: isSession, at: now))
    }

    private func scheduleTimer(_ alarm: DeferredWorkQueue.TimerRequest?) {
        guard let alarm else { return }
        schedule(after: alarm.delay) { $0.deferredWorkTimerFired(alarm.number) }
    }

    private func deferredWorkTimerFired(_ number: UInt64) {
        guard deferredWork.timerFired(number) else { return }
        if let turn = deferredWork.dequeueSession() {
            runDeferredWork(turn)
        }
        if let turn = deferredWork.dequeueUnverified(at: now) {
            runDeferredWork(turn)
        }
        scheduleTimer(deferredWork.nextTimerRequest(at: now))
    }

    private func runDeferredWork(_ turn: DeferredWork) {
        switch turn {
        case .request(let request, of: let id):
            if let connection = connections[id], connection.closeReason == nil {
                routeInClear(request, from: connection)
            }
        case .resumeChannel(of: let id): connections[id]?.channelHandler.resume()
        case .accessories(of: let id, let turns):
            if let connection = connections[id] {
                readAccessories(from: connection, turn: turns)
            }
            resumeIdleWaitersIfPossible()
        case .events: sendDeferredEvents()
        }
    }
}
