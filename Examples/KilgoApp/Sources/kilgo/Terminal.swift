import Dispatch
import Foundation
import Glibc

/// A key, or a character.
enum Key: Equatable, Sendable {
    case up
    case down
    case left
    case right
    case enter
    case escape
    case backspace
    case end
    case character(Character)

    /// Returns whether bytes do not end in the middle of a character.
    static func isComplete(_ bytes: [UInt8]) -> Bool {
        guard let start = bytes.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return true }
        let length = max(1, (~bytes[start]).leadingZeroBitCount)
        return bytes.count - start >= length
    }

    /// Splits the input of a terminal into keys.
    static func keys(_ input: String) -> [Key] {
        let arrows: [Character: Key] = ["A": .up, "B": .down, "C": .right, "D": .left]
        var keys: [Key] = []
        var rest = input[...]
        while let first = rest.popFirst() {
            switch first {
            case "\u{1B}" where rest.first == "[" || rest.first == "O":
                // Other sequences end with a letter or a tilde, too, and are ignored.
                rest.removeFirst()
                let end = rest.firstIndex { $0.isLetter || $0 == "~" }
                if let end, let key = arrows[rest[end]] { keys.append(key) }
                rest = end.map { rest[rest.index(after: $0)...] } ?? ""
            case "\u{1B}": keys.append(.escape)
            case "\r", "\n", "\r\n": keys.append(.enter)
            case "\u{7F}", "\u{8}": keys.append(.backspace)
            // Ctrl-C and Ctrl-D.
            case "\u{3}", "\u{4}": keys.append(.end)
            case _ where !first.unicodeScalars.contains { $0.properties.generalCategory == .control }:
                keys.append(.character(first))
            default: break
            }
        }
        return keys
    }
}

/// The terminal in raw mode, with a screen of its own.
@MainActor
final class Terminal {
    private let savedMode: termios
    private var isRaw = false
    private var lastFrame = ""
    private var signals: [any DispatchSourceSignal] = []

    /// Returns `nil` if standard input is not a terminal.
    init?() {
        var mode = termios()
        guard tcgetattr(STDIN_FILENO, &mode) == 0 else { return nil }
        savedMode = mode
    }

    /// Begins the raw mode, and restores the terminal when a signal ends the program.
    func start(onResize: @escaping @MainActor () -> Void) {
        enterRawMode()
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            handle(number) { [weak self] in
                self?.restore()
                exit(128 + number)
            }
        }
        // After the size has changed, or the program was stopped and continued.
        for number in [SIGWINCH, SIGCONT] {
            handle(number) { [weak self] in
                self?.enterRawMode()
                onResize()
            }
        }
    }

    private func handle(_ number: Int32, _ action: @escaping @MainActor () -> Void) {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
        source.setEventHandler { MainActor.assumeIsolated(action) }
        source.activate()
        signals.append(source)
    }

    private func enterRawMode() {
        var mode = savedMode
        cfmakeraw(&mode)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
        isRaw = true
        lastFrame = ""
        // The alternate screen, without a cursor.
        write("\u{1B}[?1049h\u{1B}[?25l")
    }

    /// Restores the mode and the screen.
    func restore() {
        guard isRaw else { return }
        isRaw = false
        write("\u{1B}[?25h\u{1B}[?1049l")
        var mode = savedMode
        tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
    }

    /// The number of rows and columns.
    var size: (rows: Int, columns: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
            return (24, 80)
        }
        return (Int(size.ws_row), Int(size.ws_col))
    }

    /// Divides text into lines that fit.
    func wrapped(_ text: String) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if line.cells + word.cells < size.columns {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    /// Draws lines over the previous ones, without clearing the screen first, which would flicker.
    ///
    /// - Parameter highlighted: The index of the line in reverse video.
    func draw(_ lines: [String], highlighted: Int?) {
        let (rows, columns) = size
        let drawn = lines.prefix(rows).enumerated()
            .map { index, line in
                let text = line.prefix(cells: columns)
                return (index == highlighted ? "\u{1B}[7m\(text)\u{1B}[0m" : text) + "\u{1B}[K"
            }
        let frame = "\u{1B}[H" + drawn.joined(separator: "\r\n") + "\u{1B}[J"
        guard isRaw, frame != lastFrame else { return }
        lastFrame = frame
        write(frame)
    }

    /// Writes text, unless the terminal is gone.
    private func write(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) }

    /// The keys, read by another thread because the main queue must run; the stream ends with the terminal.
    func keys() -> AsyncStream<Key> {
        let (stream, continuation) = AsyncStream.makeStream(of: Key.self)
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 4096)
            // The beginning of a character whose end was not read yet.
            var rest: [UInt8] = []
            while true {
                let count = read(STDIN_FILENO, &buffer, buffer.count)
                guard count > 0 else { break }
                rest += buffer.prefix(count)
                let end = Key.isComplete(rest) ? rest.count : rest.lastIndex { $0 & 0xC0 != 0x80 } ?? rest.count
                for key in Key.keys(String(decoding: rest.prefix(end), as: UTF8.self)) { continuation.yield(key) }
                rest.removeFirst(end)
            }
            continuation.finish()
        }
        return stream
    }
}
