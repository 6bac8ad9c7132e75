import Glibc
import Hosting
import Simulation

/// A prompt in the last line of the terminal, for commands while servers run.
final class Prompt: Sendable {
    private static let promptText = "> "

    private let host: AccessoryHost
    private let interpreter: PrintedCommands
    private let printer: LinePrinter

    /// Whether there is a terminal and this process is in its foreground.
    static var isAvailable: Bool {
        let context = CommandContext.current
        return isatty(context.input) == 1 && context.isOutputTerminal && tcgetpgrp(context.input) == getpgrp()
    }

    init(_ host: AccessoryHost, _ interpreter: PrintedCommands, _ printer: LinePrinter) {
        self.host = host
        self.interpreter = interpreter
        self.printer = printer
    }

    /// Executes commands until the task is canceled or the input ends, and then restores the terminal.
    ///
    /// - Returns: Whether the user wants to end the program.
    func run() async -> Bool {
        guard let mode = TerminalMode() else { return false }
        defer {
            printer.setFooter(nil)
            printer.flush(within: .seconds(1))
            mode.restore()
        }
        var editor = LineEditor()
        printer.printLine("Type help for the list of commands.")
        draw(editor)
        for await bytes in StandardInput().bytes() {
            // Keys are processed one by one, because the effect of a key can depend on the previous one.
            for byte in bytes {
                guard !Task.isCancelled else { return false }
                for event in editor.process([byte]) {
                    switch event {
                    case .endOfInput: return true
                    case .completionRequested: complete(&editor)
                    case .lineTooLong:
                        printer.printLine(
                            "A line has at most \(LineEditor.maximumCount) characters; this one is ignored."
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
        let isKnown = ioctl(CommandContext.current.output, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        let (text, column) = editor.drawing(prompt: Self.promptText, width: isKnown ? Int(size.ws_col) : 80)
        printer.setFooter("\r\u{1B}[K\(text)\r" + (column > 0 ? "\u{1B}[\(column)C" : ""))
    }

    private func complete(_ editor: inout LineEditor) {
        let text = editor.textToCursor
        let completion = PromptCompletion(of: text, host.names)
        if let common = completion.commonPrefix {
            editor.replaceTextToCursor(with: common)
        } else if completion.candidates.count > 1 {
            let shown = completion.candidates.prefix(40).map { $0.printable }
            printer.printLine(shown.joined(separator: "\n") + (completion.candidates.count > 40 ? "\n…" : ""))
        }
    }

    /// Executes a line.
    ///
    /// - Returns: Whether the prompt continues.
    private func execute(_ line: String) async -> Bool {
        await interpreter.execute(line)
    }
}

/// A terminal mode in which each key is delivered at once, without echo, until it is restored.
///
/// Ctrl-C still ends the program.
struct TerminalMode: Sendable {
    private let descriptor: Int32
    private let savedMode: termios

    /// Changes the mode of the terminal on standard input.
    ///
    /// Returns `nil` if there is none.
    init?() {
        descriptor = CommandContext.current.input
        var mode = termios()
        guard tcgetattr(descriptor, &mode) == 0 else { return nil }
        savedMode = mode
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
        // The suspend and quit keys are disabled, because a program that they stop could not restore the terminal.
        withUnsafeMutableBytes(of: &mode.c_cc) { keys in
            keys[Int(VSUSP)] = 0
            keys[Int(VQUIT)] = 0
            keys[Int(VMIN)] = 1
            keys[Int(VTIME)] = 0
        }
        guard tcsetattr(descriptor, TCSADRAIN, &mode) == 0 else { return nil }
    }

    /// Restores the previous mode.
    func restore() {
        var mode = savedMode
        tcsetattr(descriptor, TCSADRAIN, &mode)
    }
}
