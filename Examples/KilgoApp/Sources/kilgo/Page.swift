import Foundation
import KilgoApp

/// A screen of the app as lines of text.
@MainActor
enum Page {
    case tiles(TileList)
    case detail(AccessoryDetail)
    case settings(AccessorySettings)

    /// Whether the page shows something that was not removed.
    var isPresent: Bool {
        switch self {
        case .tiles: true
        case .detail(let detail): detail.isPresent
        case .settings(let settings): settings.isPresent
        }
    }

    var title: String { uncleanTitle.withoutControls }

    private var uncleanTitle: String {
        switch self {
        case .tiles(let list): list.title
        case .detail(let detail): detail.name
        case .settings(let settings): settings.name
        }
    }

    /// The text below the title: the reason why the page is empty, or the failure of a change.
    var note: String? {
        switch self {
        case .tiles(let list): list.emptyText
        case .detail: nil
        case .settings(let settings): settings.failure
        }
    }

    var rows: [String] { uncleanRows.map(\.withoutControls) }

    private var uncleanRows: [String] {
        switch self {
        case .tiles(let list): list.tiles.map { $0.name.column(26) + $0.state.column(16) + $0.room }
        case .detail(let detail): detail.rows.map { $0.label.column(26) + $0.value }
        case .settings(let settings):
            settings.settings.map { $0.label.column(20) + $0.text.column(12) + $0.drawnControl }
        }
    }

    /// The page without spaces at the ends of lines.
    var lines: [String] {
        ([title] + [note, ""].compactMap(\.self) + rows).map { $0.trimmingCharacters(in: .whitespaces) }
    }
}

extension String {
    fileprivate func column(_ width: Int) -> String { self + String(repeating: " ", count: max(1, width - cells)) }
}

extension StringProtocol {
    /// The number of columns that the text occupies in a terminal.
    var cells: Int { reduce(0) { $0 + $1.cells } }

    /// Returns as much of the text as fits into a number of columns.
    func prefix(cells limit: Int) -> String {
        var left = limit
        return String(
            prefix { character in
                left -= character.cells
                return left >= 0
            }
        )
    }

    /// The text without control characters, which an accessory could use to change the terminal.
    var withoutControls: String {
        String(map { $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? " " : $0 })
    }
}

extension Character {
    /// 2 for an emoji, and for a character of Chinese, Japanese or Korean, else 1.
    fileprivate var cells: Int {
        guard let first = unicodeScalars.first else { return 0 }
        let isWide = wideRanges.contains { $0.contains(first.value) } || first.properties.isEmojiPresentation
        return isWide ? 2 : 1
    }
}

private let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
    0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
]

extension Setting {
    fileprivate var drawnControl: String {
        switch control {
        case .none: return ""
        case .toggle: return value == 1 ? "(—●)" : "(○—)"
        case .segments(let segments):
            return segments.map { $0.value == value ? "[\($0.title)]" : " \($0.title) " }.joined(separator: " ")
        case .slider(let range, _):
            let part = ((value ?? range.lowerBound) - range.lowerBound) / (range.upperBound - range.lowerBound)
            let filled = Int((part * 20).rounded())
            return String(repeating: "━", count: filled) + "●" + String(repeating: "─", count: 20 - filled)
        }
    }
}
