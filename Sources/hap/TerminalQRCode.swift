internal import CQREncode

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
        let edge = width + Self.quietZone
        return stride(from: -Self.quietZone, to: edge, by: 2)
            .map { row in
                let columns = (-Self.quietZone)..<edge
                return String(columns.map { block(upperLight: isLight($0, row), lowerLight: isLight($0, row + 1)) })
            }
    }

    /// The lines in bright white on black, for a terminal of any color.
    var coloredLines: [String] {
        lines.map { "\u{1B}[97;40m\($0)\u{1B}[0m" }
    }

    /// The number of modules on each side, without the quiet zone.
    private let width: Int
    /// The modules row by row, `true` for dark ones.
    private let darkModules: [Bool]

    /// Encodes an alphanumeric payload, such as a setup payload, at error correction level Q.
    ///
    /// The version is the smallest that can hold the payload: version 2 for the 20 characters of a setup payload.
    /// Returns `nil` when the payload is empty, too long, or has a character outside the QR alphanumeric set, such as a
    /// lowercase letter.
    ///
    /// HAP: §3
    init?(_ payload: String) {
        let characters = [UInt8](payload.utf8)
        guard let length = Int32(exactly: characters.count), let input = QRinput_new2(0, QR_ECLEVEL_Q) else {
            return nil
        }
        defer { QRinput_free(input) }
        guard QRinput_append(input, QR_MODE_AN, length, characters) == 0 else { return nil }
        guard let code = QRcode_encodeInput(input) else { return nil }
        defer { QRcode_free(code) }
        width = Int(code.pointee.width)
        // libqrencode stores each module in a byte, whose lowest bit is set for a dark module.
        darkModules = UnsafeBufferPointer(start: code.pointee.data, count: width * width).map { $0 & 1 == 1 }
    }

    /// The width in modules of the light frame that a reader needs around the code.
    private static let quietZone = 4

    private func isLight(_ column: Int, _ row: Int) -> Bool {
        // The code's height is odd, so the lower half of the last line is outside of it.
        guard row < width + Self.quietZone else { return false }
        let modules = 0..<width
        guard modules.contains(column), modules.contains(row) else { return true }
        return !darkModules[row * width + column]
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
