import Foundation
import KilgoApp

/// A value of a setting that was written as text, such as "40", "Open" or "on".
struct SettingValue {
    let value: Double

    init(_ text: String, of setting: Setting, slides: Bool) throws {
        let options: [(value: Double, title: String)]
        switch setting.control {
        case .none: throw UsageError(TerminalText.notChangeable(setting.label))
        case .slider(let range, _):
            let number = text.prefix { $0.isNumber || $0 == "." || $0 == "-" }
            let unit = text.dropFirst(number.count).trimmingCharacters(in: .whitespaces)
            guard let value = Double(number), range.contains(value), ["", "%", "°", "s"].contains(unit) else {
                throw UsageError(TerminalText.notInRange(text, setting.label, range))
            }
            self.value = value
            return
        case .toggle: options = [(0, TerminalText.off), (1, TerminalText.on)]
        case .segments(let segments): options = segments.map { ($0.value, $0.title) }
        }
        guard !slides else { throw UsageError(TerminalText.notSlider(setting.label)) }
        guard let option = options.first(where: { $0.title.isSame(text) }) else {
            throw UsageError(TerminalText.notAnOption(text, setting.label, options.map(\.title)))
        }
        value = option.value
    }
}
