import DequeModule
import HAPCore
import Synchronization

/// Lines that wait until those are printed which tell of what came before.
final class HeldLines: Sendable {
    private let lines = Mutex<Deque<(milliseconds: Int64, text: String)>>([])

    /// Holds a line of a time back; times do not go back.
    func put(_ text: String, at time: Duration) {
        lines.withLock { $0.append((time.wholeMilliseconds, text)) }
    }

    /// Takes out the lines of earlier times, in their order.
    func take(before time: Duration) -> [String] {
        lines.withLock { lines in
            let count = lines.prefix { $0.milliseconds < time.wholeMilliseconds }.count
            defer { lines.removeFirst(count) }
            return lines.prefix(count).map(\.text)
        }
    }

    /// Takes out all lines, in their order.
    func takeAll() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines.map(\.text)
        }
    }
}
