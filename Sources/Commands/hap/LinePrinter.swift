import Dispatch
import HAPCore
import Hosting
import Synchronization

/// A printer that writes lines on its own queue, so its callers do not wait until the output is read.
final class LinePrinter: Sendable {
    /// The queue on which the printer writes, and on which delayed lines are scheduled.
    let queue = DispatchQueue(label: "hap.line-printer")

    /// The maximum number of waiting lines.
    private static let capacity = 10_000
    /// The number of bytes of waiting lines at which further ones are dropped.
    private static let maximumSize = 16 << 20

    private let descriptor: Int32
    private let state = Mutex(State())

    private struct State {
        /// The closures that compose the lines.
        ///
        /// Each returns a line, or `nil` for no line.
        var lines: [@Sendable () -> String?] = []
        /// The number of bytes of the lines that are already composed; an answer to a command can be long.
        var size = 0
        var dropped = 0
        var isWriting = false
        /// The content of the terminal's last line, below all printed lines.
        var footer: String?
        /// Whether the terminal shows a footer.
        var hasFooter = false
        /// Whether the terminal shows the current footer.
        var isFooterDrawn = true
    }

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Prints a line soon.
    func printLine(_ text: String) {
        printLine(size: text.utf8.count) { text }
    }

    /// Prints a line about something that occurs now, with the time at its beginning, soon.
    func printEvent(_ text: String) {
        printLine("\(LineTime.now)  \(text)")
    }

    /// Prints a line soon, and composes it on the printer's queue so that the caller does not wait.
    ///
    /// - Parameter compose: Returns the line, or `nil` when there is nothing to print.
    func printLine(composedBy compose: @escaping @Sendable () -> String?) {
        printLine(size: 0, compose)
    }

    private func printLine(size: Int, _ compose: @escaping @Sendable () -> String?) {
        change { state in
            guard state.lines.count < Self.capacity, state.size < Self.maximumSize else {
                state.dropped += 1
                return false
            }
            state.lines.append(compose)
            state.size += size
            return true
        }
    }

    /// Draws a footer in the terminal's last line from now on, below all other lines.
    ///
    /// `nil` removes it.
    ///
    /// - Parameter text: The text that draws the footer. It begins with the control sequence that empties the line.
    func setFooter(_ text: String?) {
        change { state in
            state.footer = text
            state.isFooterDrawn = false
            return true
        }
    }

    /// Changes the pending output, and starts writing if no write is in progress.
    ///
    /// - Parameter change: Returns whether there is something to write.
    private func change(_ change: (inout State) -> Bool) {
        let mustStart = state.withLock { state -> Bool in
            guard change(&state) else { return false }
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if mustStart {
            queue.async { self.write() }
        }
    }

    /// Waits until everything so far is printed.
    ///
    /// - Returns: `false` if the reader did not read everything in time.
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
            let (lines, dropped, footer, hadFooter, isDue) = state.withLock { state in
                let isDue = !state.lines.isEmpty || !state.isFooterDrawn
                let taken = (state.lines, state.dropped, state.footer, state.hasFooter, isDue)
                state.lines = []
                state.size = 0
                state.dropped = 0
                state.hasFooter = state.footer != nil
                state.isFooterDrawn = true
                state.isWriting = isDue
                return taken
            }
            guard isDue else { return }
            var text = ""
            for line in lines {
                guard let line = line() else { continue }
                text += line + "\n"
            }
            if dropped > 0 {
                text += "(\(dropped) lines left out)\n"
            }
            // The typed text is erased before the lines are printed, and drawn again below them.
            let erasure = hadFooter ? Self.emptyLine : ""
            FileDescriptorWriter.write(erasure + text + (footer ?? ""), to: descriptor)
        }
    }

    private static let emptyLine = "\r\u{1B}[K"
}
