extension String {
    /// The text of a path as one word of a shell command: in single quotes unless it needs none.
    ///
    /// A `-` at the beginning is preceded by `./`, so that no command takes the path for an option.
    package var quotedForShell: String {
        let text = utf8.first == UInt8(ascii: "-") ? "./\(self)" : self
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
                true
            default: "/._-+,:@%=".utf8.contains(byte)
            }
        }
        guard !isPlain || text.isEmpty else { return text }
        // The shell knows no escapes in single quotes: the quotes end before one in the text, and begin again behind it.
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: #"'\''"#) + "'"
    }
}
