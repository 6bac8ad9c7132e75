import HAPController
import Synchronization

/// What is known of a pairing that is being made: for the line on the terminal, and for what a signal means to it.
final class PairingStatus: Sendable {
    private struct State {
        var isInterrupted = false
        var isLastMessageSent = false
        var savedAlias: String?
    }

    private let line: ProgressLine
    private let state = Mutex(State())

    init(_ line: ProgressLine = ProgressLine()) {
        self.line = line
    }

    /// Whether somebody wants it to end.
    var isInterrupted: Bool { state.withLock(\.isInterrupted) }

    /// The name under which the pairing is kept, `nil` as long as it is not.
    var savedAlias: String? { state.withLock(\.savedAlias) }

    /// Whether the accessory may hold a pairing that is not kept here.
    var isUncertain: Bool { state.withLock { $0.isLastMessageSent && $0.savedAlias == nil } }

    /// Takes what has been done.
    func report(_ progress: PairingProgress) {
        let isInterrupted = state.withLock { state in
            switch progress {
            case .exchangingKeys(message: 5): state.isLastMessageSent = true
            case .saved(let alias): state.savedAlias = alias
            case .discovering, .connecting, .exchangingKeys, .verifying, .readingDatabase: break
            }
            return state.isInterrupted
        }
        if !isInterrupted {
            line.show(progress.text)
        }
    }

    /// Takes the news that it is to end.
    func interrupt() {
        let isUncertain = state.withLock { state in
            state.isInterrupted = true
            return state.isLastMessageSent && state.savedAlias == nil
        }
        if isUncertain {
            line.show("Finishing the pairing …")
        }
    }

    /// Takes the line away.
    func clear() {
        line.clear()
    }
}
