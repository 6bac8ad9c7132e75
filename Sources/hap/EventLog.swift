import AccessoryModel
import Dispatch
import HAPCore
import HAPServer
import Synchronization

/// Prints one line for each thing that happens in a server.
///
/// The server's event loop only takes note; a queue of its own writes. What happens faster than people read is counted
/// instead of printed: a write storm must not slow the server that it is made to test.
final class EventLog: ServerObserver {
    /// How many changes of one characteristic are printed in a second.
    private static let changesPerSecond = 5
    /// How many lines wait at most.
    private static let capacity = 10_000

    private let descriptor: Int32
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "hap.event-log")
    private let clock = ContinuousClock()

    private struct State {
        var lines: [String] = []
        var dropped = 0
        var isWriting = false
        var recent: [CharacteristicID: Recent] = [:]
        var names: [CharacteristicID: String] = [:]
        var peers: [ConnectionID: String] = [:]
    }

    /// The changes of one characteristic within a second.
    private struct Recent {
        var begin: ContinuousClock.Instant
        var count = 0
        /// The latest one that was not printed.
        var held: ServerFact?

        /// How many are not printed even when the held one is.
        var leftOut: Int { count - EventLog.changesPerSecond - 1 }
    }

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Calls characteristics by these names from now on.
    func name(_ names: [CharacteristicID: String]) {
        state.withLock { $0.names = names }
    }

    func observe(_ fact: ServerFact) {
        switch fact {
        case .requestReceived, .responseSent, .eventSent, .eventCoalesced:
            // Nobody reads thousands of them a second; they must cost nothing.
            break
        case .connectionOpened(let id, let peer):
            state.withLock { $0.peers[id] = peer }
        case .connectionClosed(let id, _):
            line(fact)
            state.withLock { $0.peers[id] = nil }
        case .valueChanged(let id, _, _, _):
            observeChange(fact, of: id)
        case .sessionVerified, .peerFault, .identifyRequested, .handlerSlow, .handlerTimedOut, .pairingAdded,
            .pairingRemoved, .pairSetupRefused, .pairVerifyRefused, .advertiserChanged, .storeFailed,
            .configurationChanged, .interfered:
            line(fact)
        }
    }

    /// Prints a line soon.
    func line(_ text: String) {
        let mustStart = state.withLock { state -> Bool in
            guard state.lines.count < Self.capacity else {
                state.dropped += 1
                return false
            }
            state.lines.append(text)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if mustStart {
            queue.async { self.write() }
        }
    }

    /// Returns when everything so far is printed.
    func flush() {
        for recent in state.withLock({ Array($0.recent.values) }) {
            close(recent)
        }
        state.withLock { $0.recent = [:] }
        queue.sync { write() }
    }

    private func line(_ fact: ServerFact, leftOut: Int = 0) {
        let (names, peers) = state.withLock { ($0.names, $0.peers) }
        guard let text = FactDescription(fact, names: names, peers: peers).text else { return }
        line(leftOut > 0 ? "\(text) (\(leftOut) changes left out)" : text)
    }

    /// Prints a change, or holds it back until the second is over: then the latest one is printed.
    private func observeChange(_ fact: ServerFact, of id: CharacteristicID) {
        let now = clock.now
        let (past, present) = state.withLock { state -> (Recent?, Recent) in
            var recent = state.recent[id] ?? Recent(begin: now)
            var past: Recent?
            if recent.begin.duration(to: now) >= .seconds(1) {
                past = recent
                recent = Recent(begin: now)
            }
            recent.count += 1
            recent.held = recent.count > Self.changesPerSecond ? fact : nil
            state.recent[id] = recent
            return (past, recent)
        }
        if let past {
            close(past)
        }
        if present.held == nil {
            line(fact)
        } else if present.leftOut == 0 {
            queue.asyncAfter(deadline: .now() + 1) { self.closeSecond(of: id, begunAt: present.begin) }
        }
    }

    private func closeSecond(of id: CharacteristicID, begunAt begin: ContinuousClock.Instant) {
        let recent = state.withLock { state -> Recent? in
            guard state.recent[id]?.begin == begin else { return nil }
            return state.recent.removeValue(forKey: id)
        }
        if let recent {
            close(recent)
        }
    }

    private func close(_ recent: Recent) {
        if let held = recent.held {
            line(held, leftOut: recent.leftOut)
        }
    }

    private func write() {
        while true {
            let (lines, dropped) = state.withLock { state -> ([String], Int) in
                defer {
                    state.lines = []
                    state.dropped = 0
                }
                state.isWriting = !state.lines.isEmpty
                return (state.lines, state.dropped)
            }
            guard !lines.isEmpty else { return }
            var text = lines.joined(separator: "\n") + "\n"
            if dropped > 0 {
                text += "(\(dropped) lines left out)\n"
            }
            FileDescriptorWriter.write(text, to: descriptor)
        }
    }
}
