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

    var title: String {
        switch self {
        case .tiles(let list): list.title
        case .detail(let detail): detail.name
        case .settings(let settings): settings.name
        }
    }

    /// The text below the title: why there are no rows, or that a change has failed.
    var note: String? {
        switch self {
        case .tiles(let list): list.emptyText
        case .detail: nil
        case .settings(let settings): settings.failure
        }
    }

    var rows: [String] {
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
    fileprivate func column(_ width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}

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
