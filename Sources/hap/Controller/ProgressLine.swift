import AccessoryModel
import Glibc
import HAPController
import Synchronization

/// One line on a terminal that says what is being done, and is gone when it is done.
///
/// Where standard error is no terminal, nothing is written.
final class ProgressLine: Sendable {
    private let isTerminal: Bool
    private let isShown = Mutex(false)

    init(isTerminal: Bool = isatty(STDERR_FILENO) == 1) {
        self.isTerminal = isTerminal
    }

    /// Replaces the line.
    func show(_ text: String) {
        guard isTerminal else { return }
        isShown.withLock { isShown in
            isShown = true
            StandardError.write("\r\u{1B}[K\(text.escapingControlCharacters)")
        }
    }

    /// Takes the line away.
    func clear() {
        isShown.withLock { isShown in
            guard isShown else { return }
            isShown = false
            StandardError.write("\r\u{1B}[K")
        }
    }
}

extension PairingProgress {
    /// What is being done, for people.
    var text: String {
        switch self {
        case .discovering: "Looking for the accessory …"
        case .connecting(let address): "Connecting to \(address) …"
        case .exchangingKeys(let message): "Exchanging keys, message \(message) of 6 …"
        case .saved: "The pairing is kept …"
        case .verifying: "Opening the first session …"
        case .readingDatabase: "Reading what it has …"
        }
    }
}
