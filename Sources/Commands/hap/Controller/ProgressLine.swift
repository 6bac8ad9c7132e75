import AccessoryModel
import HAPController
import Synchronization

/// A line on the terminal that shows the current step and is removed at the end.
///
/// If standard error is not a terminal, nothing is written.
final class ProgressLine: Sendable {
    private let descriptor: Int32
    private let isTerminal: Bool
    private let isShown = Mutex(false)

    init(_ context: CommandContext = .current) {
        descriptor = context.errors
        isTerminal = context.isErrorTerminal
    }

    /// Shows a text in place of the current one.
    func show(_ text: String) {
        guard isTerminal else { return }
        isShown.withLock { isShown in
            isShown = true
            FileDescriptorWriter.write("\r\u{1B}[K\(text.escapingControlCharacters)", to: descriptor)
        }
    }

    /// Removes the line.
    func clear() {
        isShown.withLock { isShown in
            guard isShown else { return }
            isShown = false
            FileDescriptorWriter.write("\r\u{1B}[K", to: descriptor)
        }
    }
}

extension PairingProgress {
    /// The text that the terminal shows during this step.
    var text: String {
        switch self {
        case .discovering: "Looking for the accessory …"
        case .connecting(let address): "Connecting to \(address) …"
        case .exchangingKeys(let message): "Exchanging keys, message \(message) of 6 …"
        case .saved: "The pairing is saved …"
        case .verifying: "Opening the first session …"
        case .readingDatabase: "Reading the services …"
        }
    }
}
