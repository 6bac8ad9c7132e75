import AccessoryFiles
import Hosting
import Simulation
import WebConsole

/// Commands of the prompt whose answers are printed: those that a user types, and those from standard input.
struct PrintedCommands: Sendable {
    private let console: Console
    private let printer: LinePrinter

    init(_ console: Console, _ printer: LinePrinter) {
        self.console = console
        self.printer = printer
    }

    /// Performs a command and prints its answer.
    ///
    /// - Returns: Whether more commands may follow.
    func execute(_ line: String) async -> Bool {
        do throws(SimulationError) {
            switch try await console.perform(line) {
            case .nothing: break
            case .quit: return false
            case .done(let text), .shown(let text): printLines(text)
            }
        } catch {
            printLines("\(error)")
        }
        return true
    }

    /// Performs the commands in the lines of an input, one after the other, until the task is canceled.
    ///
    /// A command is read when the previous one has been performed. After a cancellation, no further command is
    /// performed, and the current one ends early if it takes time. The program continues after the end of the input.
    ///
    /// - Parameter input: The bytes of the commands.
    /// - Returns: Whether a command wants to end the program.
    func executeInput(_ input: AsyncStream<[UInt8]> = StandardInput().bytes()) async -> Bool {
        var line: [UInt8] = []
        for await bytes in input {
            for byte in bytes {
                guard byte == UInt8(ascii: "\n") else {
                    if line.count <= Self.maximumLength { line.append(byte) }
                    continue
                }
                guard !Task.isCancelled else { return false }
                guard await executeLine(line) else { return true }
                line = []
            }
        }
        guard !Task.isCancelled else { return false }
        return await !executeLine(line)
    }

    /// The maximum number of bytes of a line.
    static let maximumLength = 4_096

    private func executeLine(_ line: [UInt8]) async -> Bool {
        guard line.count <= Self.maximumLength else {
            printer.printLine("A line has at most \(Self.maximumLength) bytes; this one is ignored.")
            return true
        }
        return await execute(String(decoding: line, as: UTF8.self))
    }

    private func printLines(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
        printer.printLine(lines.joined(separator: "\n"))
    }
}
