/// What is said to a command line that is wrong: why, and which help tells how it is right.
struct UsageAnswer {
    /// One line, with its full stop.
    let text: String

    /// - Parameters:
    ///   - arguments: The command line, without the program.
    ///   - message: What is wrong with it.
    ///   - fullMessage: The same, with the usage of the command that was meant.
    init(to arguments: [String], _ message: String, _ fullMessage: String) {
        if let unknown = UnknownCommand.found(in: arguments) {
            text = "\(unknown.sentence) See '\(unknown.parents.joined(separator: " ")) --help'."
            return
        }
        let command = fullMessage.matches(of: #/See '(hap[a-z -]*) --help' for more/#).last?.1 ?? "hap"
        let stop = [".", "?", "!"].contains { message.hasSuffix($0) } ? "" : "."
        text = "\(message)\(stop) See '\(command) --help'."
    }
}
