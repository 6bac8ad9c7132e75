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
        case .requestReceived, .responseSent, .eventSent, .eventCoalesced: return
        case .valueChanged(let id, _, _, _) where !admitsChange(of: id): return
        default: break
        }
        let (names, peers) = state.withLock { ($0.names, $0.peers) }
        if let text = FactDescription(fact, names: names, peers: peers).text {
            line(text)
        }
        switch fact {
        case .connectionOpened(let id, let peer): state.withLock { $0.peers[id] = peer }
        case .connectionClosed(let id, _): state.withLock { $0.peers[id] = nil }
        default: break
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
        queue.sync { write() }
    }

    private func admitsChange(of id: CharacteristicID) -> Bool {
        let now = clock.now
        let (isAdmitted, missed) = state.withLock { state -> (Bool, Int) in
            var recent = state.recent[id] ?? Recent(begin: now)
            var missed = 0
            if recent.begin.duration(to: now) >= .seconds(1) {
                missed = max(0, recent.count - Self.changesPerSecond)
                recent = Recent(begin: now)
            }
            recent.count += 1
            state.recent[id] = recent
            return (recent.count <= Self.changesPerSecond, missed)
        }
        if missed > 0 {
            line("\(state.withLock { $0.names[id] } ?? id.description) changed \(missed) more times.")
        }
        return isAdmitted
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
