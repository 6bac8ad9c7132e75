import HAPCore

extension Character {
    /// Whether the character controls a terminal and is not visible.
    var isTerminalControl: Bool {
        unicodeScalars.contains(where: \.isTerminalControl)
    }

    /// The number of terminal columns of the character: none for combining marks, two for wide characters.
    ///
    /// [UAX #11: East Asian Width](https://www.unicode.org/reports/tr11/), by its blocks.
    var columns: Int {
        guard let scalar = unicodeScalars.first else { return 0 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: break
        }
        let isWide = scalar.properties.isEmojiPresentation || Self.wide.contains { $0.contains(scalar.value) }
        return isWide ? 2 : 1
    }

    /// Hangul, kana, ideographs and related characters.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
        0x2_0000...0x3_FFFD,
    ]
}
