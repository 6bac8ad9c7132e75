import Dispatch
import HAPCore
import Synchronization

/// Prints lines on a queue of its own: whoever hands one over does not wait for the reader.
final class LinePrinter: Sendable {
    /// Where everything that is printed later waits for its time.
    let queue = DispatchQueue(label: "hap.line-printer")

    /// How many lines wait at most.
    private static let capacity = 10_000

    private let descriptor: Int32
    private let state = Mutex(State())

    private struct State {
        var lines: [String] = []
        var dropped = 0
        var isWriting = false
    }

    init(descriptor: Int32) {
        self.descriptor = descriptor
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

    /// Waits until everything so far is printed; `false` when whoever reads it did not take it in time.
    @discardableResult
    func flush(within limit: Duration) -> Bool {
        let written = DispatchGroup()
        written.enter()
        queue.async {
            self.write()
            written.leave()
        }
        return written.wait(timeout: .now() + .nanoseconds(Int(limit.clampedNanoseconds))) == .success
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
