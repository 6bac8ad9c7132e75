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
        /// What composes each line, or `nil` for none.
        var lines: [@Sendable () -> String?] = []
        var dropped = 0
        var isWriting = false
        /// What stands in the last line of a terminal, below everything that is printed.
        var footer: String?
        /// Whether one stands there.
        var hasFooter = false
        /// Whether the one that stands there is this one.
        var isFooterDrawn = true
    }

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Prints a line soon.
    func printLine(_ text: String) {
        printLine(composedBy: { text })
    }

    /// Prints a line soon that is composed on the printer's queue, where the caller waits for nothing.
    ///
    /// - Parameter compose: Returns the line, or `nil` when there is nothing to print.
    func printLine(composedBy compose: @escaping @Sendable () -> String?) {
        let mustStart = state.withLock { state -> Bool in
            guard state.lines.count < Self.capacity else {
                state.dropped += 1
                return false
            }
            state.lines.append(compose)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if mustStart {
            queue.async { self.write() }
        }
    }

    /// Draws something in the terminal's last line from now on, below all other lines; `nil` takes it away.
    ///
    /// - Parameter text: What draws it, beginning with what empties the line.
    func setFooter(_ text: String?) {
        let mustStart = state.withLock { state -> Bool in
            state.footer = text
            state.isFooterDrawn = false
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
            let (lines, dropped, footer, hadFooter, isDue) = state.withLock { state in
                let isDue = !state.lines.isEmpty || !state.isFooterDrawn
                let taken = (state.lines, state.dropped, state.footer, state.hasFooter, isDue)
                state.lines = []
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
            // What was typed gives way to the lines, and comes back below them.
            let erasure = hadFooter ? Self.emptyLine : ""
            FileDescriptorWriter.write(erasure + text + (footer ?? ""), to: descriptor)
        }
    }

    private static let emptyLine = "\r\u{1B}[K"
}

extension String {
    /// The text without what could break a line or steer a terminal, for what comes from the network or another's code.
    var printable: String {
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            scalars.append(scalar.isTerminalControl ? "?" : scalar)
        }
        return String(scalars)
    }
}
