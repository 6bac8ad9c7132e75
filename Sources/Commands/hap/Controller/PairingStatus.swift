import HAPController
import Hosting
import Synchronization

/// The state of a pairing in progress, for the progress line and for the handling of signals.
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

    /// Whether the user has interrupted the pairing.
    var isInterrupted: Bool { state.withLock(\.isInterrupted) }

    /// The alias under which the pairing is saved, or `nil` if it is not saved yet.
    var savedAlias: String? { state.withLock(\.savedAlias) }

    /// Whether the accessory may have a pairing that is not saved here.
    var isUncertain: Bool { state.withLock { $0.isLastMessageSent && $0.savedAlias == nil } }

    /// Records and shows the progress.
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

    /// Records that the user has interrupted the pairing.
    func interrupt() {
        let isUncertain = state.withLock { state in
            state.isInterrupted = true
            return state.isLastMessageSent && state.savedAlias == nil
        }
        if isUncertain {
            line.show("Finishing the pairing …")
        }
    }

    /// Removes the progress line.
    func clear() {
        line.clear()
    }
}
