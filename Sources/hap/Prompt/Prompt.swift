import AccessoryFiles
import Foundation
import Glibc
import Simulation
import SimulationRuntime
import Synchronization

/// The line at the bottom of the terminal at which commands are typed while servers run.
final class Prompt: Sendable {
    private static let promptText = "> "

    private let simulation: CurrentSimulationServers
    private let printer: LinePrinter

    /// Whether there is a terminal, and this process is the one in front at it.
    static var isAvailable: Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && tcgetpgrp(STDIN_FILENO) == getpgrp()
    }

    init(_ stage: CurrentSimulationServers, _ printer: LinePrinter) {
        self.simulation = stage
        self.printer = printer
    }

    /// Takes commands until the task is cancelled or input ends; the terminal is then as it was before.
    ///
    /// - Returns: Whether somebody wants the program to end.
    func run() async -> Bool {
        guard let mode = TerminalMode() else { return false }
        defer {
            printer.setFooter(nil)
            printer.flush(within: .seconds(1))
            mode.restore()
        }
        var editor = LineEditor()
        printer.printLine("Type help for what can be done here.")
        draw(editor)
        for await bytes in Self.input() {
            // One by one: what a key brings about changes what the next one finds.
            for byte in bytes {
                for event in editor.process([byte]) {
                    switch event {
                    case .endOfInput: return true
                    case .completionRequested: complete(&editor)
                    case .lineTooLong:
                        printer.printLine(
                            "A line has \(LineEditor.maximumCount) letters at most; this one is not obeyed."
                        )
                    case .line(let line):
                        printer.printLine(Self.promptText + line)
                        guard await execute(line) else { return true }
                    }
                }
            }
            draw(editor)
        }
        return false
    }

    private func draw(_ editor: LineEditor) {
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        let (text, column) = editor.drawing(prompt: Self.promptText, width: isKnown ? Int(size.ws_col) : 80)
        printer.setFooter("\r\u{1B}[K\(text)\r" + (column > 0 ? "\u{1B}[\(column)C" : ""))
    }

    private func complete(_ editor: inout LineEditor) {
        let text = editor.textToCursor
        let completion = PromptCompletion(of: text, simulation.current.names)
        if let common = completion.commonPrefix {
            editor.replaceTextToCursor(with: common)
        } else if completion.candidates.count > 1 {
            let shown = completion.candidates.prefix(40).map { $0.printable }
            printer.printLine(shown.joined(separator: "\n") + (completion.candidates.count > 40 ? "\n…" : ""))
        }
    }

    /// Obeys a line; returns whether there is to be another one.
    private func execute(_ line: String) async -> Bool {
        let stage = simulation.current
        do throws(SimulationError) {
            switch try PromptCommand(line, stage.names) {
            case .empty: break
            case .help: printer.printLine(PromptCommand.helpText)
            case .faults: printer.printLine(PromptCommand.faultHelpText)
            case .quit: return false
            case .show(let target):
                let object = try target.map { target throws(SimulationError) in try stage.names.resolve(target) }
                let lines = await stage.statusLines(of: object)
                printer.printLine(
                    lines.isEmpty ? "There is nothing to show." : lines.map(\.printable).joined(separator: "\n")
                )
            case .perform(let action):
                let words = try await stage.perform(action)
                printer.printLine(words.printable)
            }
        } catch {
            printer.printLine(error.description.printable)
        }
        return true
    }

    /// What is typed, as it comes; read by a thread of its own, which looks each tenth of a second whether it is to end.
    private static func input() -> AsyncStream<[UInt8]> {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let flag = StopFlag()
        continuation.onTermination = { _ in flag.set() }
        Thread.detachNewThread {
            while !flag.isSet {
                var wanted = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                guard poll(&wanted, 1, 100) > 0 else { continue }
                var buffer = [UInt8](repeating: 0, count: 1_024)
                let count = read(STDIN_FILENO, &buffer, buffer.count)
                if count > 0 {
                    continuation.yield(Array(buffer.prefix(count)))
                } else if count == 0 || errno != EINTR && errno != EAGAIN {
                    continuation.finish()
                    return
                }
            }
        }
        return stream
    }
}

/// Whether somebody has said that it is over.
private final class StopFlag: Sendable {
    private let state = Mutex(false)

    var isSet: Bool { state.withLock { $0 } }

    func set() { state.withLock { $0 = true } }
}

/// A terminal that hands over each key at once, until it is told to be as before.
///
/// Ctrl-C still ends the program as everywhere.
struct TerminalMode: Sendable {
    private let savedMode: termios

    /// Changes the terminal of standard input; `nil` when there is none.
    init?() {
        var mode = termios()
        guard tcgetattr(STDIN_FILENO, &mode) == 0 else { return nil }
        savedMode = mode
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
        // A program that is stopped, or ended with a core, would leave the terminal like this.
        withUnsafeMutableBytes(of: &mode.c_cc) { keys in
            keys[Int(VSUSP)] = 0
            keys[Int(VQUIT)] = 0
            keys[Int(VMIN)] = 1
            keys[Int(VTIME)] = 0
        }
        guard tcsetattr(STDIN_FILENO, TCSADRAIN, &mode) == 0 else { return nil }
    }

    /// Lets the terminal be as it was.
    func restore() {
        var mode = savedMode
        tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
    }
}
