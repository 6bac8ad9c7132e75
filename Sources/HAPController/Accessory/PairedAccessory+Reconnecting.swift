internal import AccessoryModel
internal import AsyncPrimitives
internal import HAPCore
internal import NIOCore

extension PairedAccessory {
    /// Tells everybody of the loss, and goes about another session when somebody watches.
    func sessionIsLost(_ error: ControllerError) {
        announcements.passedOver = nil
        for number in subscribers.keys {
            subscribers[number]?.lost(error)
        }
        if subscribers.values.contains(where: \.hasBegun) {
            perform(reconnect.lost(at: now))
        }
        stopListeningWhenUnused()
    }

    /// Does not wait any longer: the accessory has announced itself.
    func reconnectAtOnce() {
        switch reconnect.announced(at: now) {
        case .rest: break
        case .wait(let deadline): perform(.wait(until: deadline))
        case .open: perform(.open)
        }
    }

    /// Somebody may have asked for the session before it was opened for those who watch.
    func sessionHasBegun() {
        guard subscribers.values.contains(where: \.hasBegun) else { return }
        stopReconnectTimer()
        restore()
    }

    /// Wants no session any more, unless somebody watches.
    func restWhenUnwatched() {
        guard subscribers.isEmpty else { return }
        reconnect.rest()
        stopReconnectTimer()
        stopListeningWhenUnused()
    }

    private func perform(_ action: ReconnectMachine.Action) {
        stopReconnectTimer()
        switch action {
        case .rest:
            break
        case .wait(let deadline):
            let moment = NIODeadline.uptimeNanoseconds(UInt64(max(0, deadline.nanoseconds)))
            reconnectTimer = eventLoop.scheduleTask(deadline: moment) { [weak self] in
                self?.assumeIsolated { $0.perform($0.reconnect.advance(to: $0.now)) }
            }
        case .open:
            restore()
        }
    }

    private func stopReconnectTimer() {
        reconnectTimer?.cancel()
        reconnectTimer = nil
    }

    private func restore() {
        guard restoring == nil else {
            restoresAgain = true
            return
        }
        restoring = Task {
            repeat {
                restoresAgain = false
                await restoreOnce()
            } while restoresAgain && !isClosed
            restoring = nil
        }
    }

    private func restoreOnce() async {
        guard subscribers.values.contains(where: \.hasBegun) else {
            reconnect.rest()
            return
        }
        let session: AccessorySession
        do throws(ControllerError) {
            session = try await self.session()
        } catch {
            couldNotOpen(error)
            return
        }
        // Whichever was opened up to now is this one.
        restoresAgain = false
        do throws(ControllerError) {
            try await tell(subscribers.filter(\.value.hasBegun).map(\.key), in: session)
        } catch {
            // Its end sets the timer; another one that was opened meanwhile is told of by itself.
            lose(session, over: error)
        }
    }

    private func couldNotOpen(_ error: ControllerError) {
        switch error.code {
        case .closed, .cancelled:
            break
        case .refused(.authentication):
            for subscriber in subscribers.values {
                subscriber.mailbox.finish(.failure(error))
            }
            subscribers = [:]
            restWhenUnwatched()
        default:
            if case .open = link { return }
            // That nobody is there was told when the session was lost.
            if !error.isAbsence {
                for number in subscribers.keys {
                    subscribers[number]?.couldNotReturn(error)
                }
            }
            perform(reconnect.failed(at: now))
        }
    }
}

extension ControllerError {
    /// Whether it means that nobody is there, and no more.
    fileprivate var isAbsence: Bool {
        switch code {
        case .unreachable, .timedOut, .notFound, .connectionLost, .discovery, .busy: true
        default: false
        }
    }
}
