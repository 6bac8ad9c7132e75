import Glibc

/// A terminal that hands over each key at once, until it is told to be as before.
///
/// Ctrl-C still ends the program as everywhere.
struct TerminalMode: Sendable {
    private let before: termios

    /// Changes the terminal of standard input; `nil` when there is none.
    init?() {
        var mode = termios()
        guard tcgetattr(STDIN_FILENO, &mode) == 0 else { return nil }
        before = mode
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
        var mode = before
        tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
    }
}
