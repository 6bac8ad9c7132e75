internal import WebConsole

/// A QR code drawn with half blocks.
///
/// Each line shows two rows of modules.
///
/// Light modules are drawn and dark ones left out, so a reader can decode it on a terminal with a dark background.
/// `coloredLines` can be decoded on every terminal.
struct TerminalQRCode {
    /// The code with its quiet zone, made of ` `, `▀`, `▄` and `█` only.
    ///
    /// All lines have the same length.
    var lines: [String] {
        let edge = code.width + QRCode.quietZone
        return stride(from: -QRCode.quietZone, to: edge, by: 2)
            .map { row in
                let columns = (-QRCode.quietZone)..<edge
                return String(columns.map { block(upperLight: isLight($0, row), lowerLight: isLight($0, row + 1)) })
            }
    }

    /// The lines in bright white on black, for a terminal of any color.
    var coloredLines: [String] {
        lines.map { "\u{1B}[97;40m\($0)\u{1B}[0m" }
    }

    private let code: QRCode

    /// Encodes a payload; returns `nil` if ``QRCode`` cannot encode it.
    init?(_ payload: String) {
        guard let code = QRCode(payload) else { return nil }
        self.code = code
    }

    private func isLight(_ column: Int, _ row: Int) -> Bool {
        // The code's height is odd, so the lower half of the last line is outside of it.
        row < code.width + QRCode.quietZone && !code.isDark(column, row)
    }

    private func block(upperLight: Bool, lowerLight: Bool) -> Character {
        switch (upperLight, lowerLight) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}
