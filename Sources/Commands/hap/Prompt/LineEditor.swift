/// An editor for a line at a terminal: it receives keys and returns lines.
///
/// The editor is a value and does not use the terminal itself. It receives bytes in pieces of any size, and
/// ``drawing(prompt:width:)`` returns the visible text.
struct LineEditor: Sendable {
    /// The effect of a key.
    enum Event: Sendable, Hashable {
        /// A line is complete.
        case line(String)
        /// A line longer than ``LineEditor/maximumCount`` has ended; its rest was discarded.
        case lineTooLong
        /// The user requests completion of the text up to the cursor.
        case completionRequested
        /// The input has ended.
        case endOfInput
    }

    private enum State: Hashable {
        case plain
        case escaped
        /// After `ESC [` or `ESC O`: the parameters so far.
        case sequence([UInt8])
        /// Within a character of several bytes.
        case character([UInt8], missing: Int)
    }

    /// The maximum number of characters in a line.
    static let maximumCount = 1_000
    /// The maximum number of lines in the history.
    private static let maximumHistoryCount = 100

    private var characters: [Character] = []
    /// Whether characters of this line were discarded.
    private var isTooLong = false
    private var cursor = 0
    private var state = State.plain
    private var history: [String] = []
    /// The index of the history line that is shown; the number of lines for the line that is being typed.
    private var historyPosition = 0
    private var draft = (text: "", isOverlong: false)

    /// Creates an editor with an empty line.
    init() {}

    /// The text of the line.
    var text: String { String(characters) }
    /// The text up to the cursor.
    var textToCursor: String { String(characters.prefix(cursor)) }

    /// Processes bytes from the terminal.
    mutating func process(_ bytes: some Sequence<UInt8>) -> [Event] {
        bytes.compactMap { byte in
            let event = processByte(byte)
            // After the line is emptied, it no longer lacks discarded characters.
            if characters.isEmpty { isTooLong = false }
            return event
        }
    }

    /// Replaces the text up to the cursor.
    mutating func replaceTextToCursor(with text: String) {
        let rest = characters.dropFirst(cursor)
        let new = Array(text.filter { !$0.isTerminalControl }.prefix(max(0, Self.maximumCount - rest.count)))
        characters = new + rest
        cursor = new.count
    }

    /// Returns the visible part of the line around the cursor, and the cursor's column from 0.
    ///
    /// - Parameters:
    ///   - prompt: The text before the line, in characters of one column.
    ///   - width: The number of columns; the last one remains free.
    func drawing(prompt: String, width: Int) -> (text: String, column: Int) {
        let room = max(1, width - prompt.count - 1)
        var start = cursor
        var column = 0
        while start > 0, column + characters[start - 1].columns <= room {
            start -= 1
            column += characters[start].columns
        }
        var text = prompt
        var used = 0
        for letter in characters[start...] {
            used += letter.columns
            guard used <= room else { break }
            text.append(letter)
        }
        return (text, prompt.count + column)
    }

    // MARK: -

    private mutating func processByte(_ byte: UInt8) -> Event? {
        switch state {
        case .plain: return processPlain(byte)
        case .escaped:
            switch byte {
            case 0x1B: break
            case UInt8(ascii: "["), UInt8(ascii: "O"): state = .sequence([])
            default: state = .plain
            }
        case .sequence(let parameters):
            if 0x40...0x7E ~= byte {
                state = .plain
                performEscapeSequence(byte, parameters)
            } else {
                state = parameters.count < 16 && 0x20...0x3F ~= byte ? .sequence(parameters + [byte]) : .plain
            }
        case .character(let bytes, let missing):
            guard byte & 0xC0 == 0x80 else {
                state = .plain
                return processPlain(byte)
            }
            let all = bytes + [byte]
            state = missing > 1 ? .character(all, missing: missing - 1) : .plain
            if missing == 1, let text = String(validating: all, as: UTF8.self) {
                for letter in text { insert(letter) }
            }
        }
        return nil
    }

    private mutating func processPlain(_ byte: UInt8) -> Event? {
        switch byte {
        case 0x0A, 0x0D: return finishLine()
        case 0x09: return .completionRequested
        // Ctrl-D ends the input if the line is empty, and otherwise deletes a character.
        case 0x04:
            guard !characters.isEmpty else { return .endOfInput }
            deleteForward()
        case 0x1B: state = .escaped
        case 0x01: cursor = 0
        case 0x05: cursor = characters.count
        case 0x02: cursor = max(0, cursor - 1)
        case 0x06: cursor = min(characters.count, cursor + 1)
        case 0x08, 0x7F: deleteBackward()
        case 0x0B: characters.removeSubrange(cursor...)
        case 0x15:
            characters.removeSubrange(..<cursor)
            cursor = 0
        case 0x17: deleteWordBackward()
        case 0x10: showHistory(at: historyPosition - 1)
        case 0x0E: showHistory(at: historyPosition + 1)
        case 0x20..<0x7F: insert(Character(Unicode.Scalar(byte)))
        case 0xC2..<0xE0: state = .character([byte], missing: 1)
        case 0xE0..<0xF0: state = .character([byte], missing: 2)
        case 0xF0..<0xF5: state = .character([byte], missing: 3)
        default: break
        }
        return nil
    }

    /// Performs an escape sequence.
    private mutating func performEscapeSequence(_ final: UInt8, _ parameters: [UInt8]) {
        switch (final, parameters) {
        case (UInt8(ascii: "A"), _): showHistory(at: historyPosition - 1)
        case (UInt8(ascii: "B"), _): showHistory(at: historyPosition + 1)
        case (UInt8(ascii: "C"), _): cursor = min(characters.count, cursor + 1)
        case (UInt8(ascii: "D"), _): cursor = max(0, cursor - 1)
        case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), [UInt8(ascii: "1")]), (UInt8(ascii: "~"), [UInt8(ascii: "7")]):
            cursor = 0
        case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), [UInt8(ascii: "4")]), (UInt8(ascii: "~"), [UInt8(ascii: "8")]):
            cursor = characters.count
        case (UInt8(ascii: "~"), [UInt8(ascii: "3")]): deleteForward()
        default: break
        }
    }

    private mutating func insert(_ letter: Character) {
        guard !letter.isTerminalControl else { return }
        guard characters.count < Self.maximumCount else {
            isTooLong = true
            return
        }
        characters.insert(letter, at: cursor)
        cursor += 1
    }

    private mutating func deleteForward() {
        if cursor < characters.count { characters.remove(at: cursor) }
    }

    private mutating func deleteBackward() {
        guard cursor > 0 else { return }
        cursor -= 1
        characters.remove(at: cursor)
    }

    private mutating func deleteWordBackward() {
        while cursor > 0, characters[cursor - 1] == " " { deleteBackward() }
        while cursor > 0, characters[cursor - 1] != " " { deleteBackward() }
    }

    private mutating func showHistory(at place: Int) {
        guard 0...history.count ~= place, place != historyPosition else { return }
        if historyPosition == history.count { draft = (text, isTooLong) }
        historyPosition = place
        (characters, isTooLong) =
            place < history.count ? (Array(history[place]), false) : (Array(draft.text), draft.isOverlong)
        cursor = characters.count
    }

    private mutating func finishLine() -> Event {
        let line = text
        let isWhole = !isTooLong
        characters = []
        cursor = 0
        isTooLong = false
        if isWhole, line.contains(where: { $0 != " " }), history.last != line {
            history.append(line)
            if history.count > Self.maximumHistoryCount { history.removeFirst() }
        }
        historyPosition = history.count
        draft = ("", false)
        return isWhole ? .line(line) : .lineTooLong
    }
}
