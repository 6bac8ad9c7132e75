extension TextPosition {
    /// Where the byte at an offset stands in a text in UTF-8; its end for one beyond it.
    init(ofByteAt offset: Int, in text: [UInt8]) {
        let before = text.prefix(offset)
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        self.init(
            line: before.count { $0 == 0x0A } + 1,
            column: before[start...].count { $0 & 0xC0 != 0x80 } + 1
        )
    }
}
