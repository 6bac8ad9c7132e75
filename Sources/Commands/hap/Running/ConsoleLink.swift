import Hosting
import WebConsole

extension ConsoleLink {
    /// The text for standard output.
    var text: String { text(isTerminal: CommandContext.current.isOutputTerminal) }

    /// Returns the link with the token in its fragment, or the address and the place of the token.
    ///
    /// The token is shown only on a terminal: other output is stored, as in the journal of systemd or the log of a CI
    /// run, and can be read by other users.
    func text(isTerminal: Bool) -> String {
        isTerminal
            ? "http://\(authority)/#token=\(token.secret)"
            : "http://\(authority)/ (the token is in \(tokenFile.path))".printable
    }
}

extension ConsoleHost {
    /// Creates the console of a process, which prints what does not work.
    ///
    /// - Parameter printer: The printer, or `nil` for standard error.
    init(_ console: Console, _ process: RunningProcess, at address: ConsoleAddress, _ printer: LinePrinter?) {
        self.init(console, process, at: address, notedIn: ProcessRegistry(CommandContext.current.environment)) { text in
            if let printer {
                printer.printLine(text.printable)
            } else {
                StandardError.write("hap: \(text.printable)\n")
            }
        }
    }
}
