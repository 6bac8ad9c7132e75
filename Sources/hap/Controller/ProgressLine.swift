import AccessoryModel
import Glibc
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
            StandardError.write("\r\u{1B}[K\(text.withVisibleControls)")
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
