internal import HAPCore

extension String {
    /// The text in quotation marks for a person's eyes: its beginning, with everything that is not printable as `?`.
    var excerpt: String {
        let most = 40
        let scalars = unicodeScalars.prefix(most + 1)
        var text = ""
        for scalar in scalars.prefix(most) {
            switch scalar.properties.generalCategory {
            case .privateUse, .unassigned: text += "?"
            default: text.unicodeScalars.append(scalar.isTerminalControl ? "?" : scalar)
            }
        }
        return scalars.count > most ? "\"\(text)…\"" : "\"\(text)\""
    }
}
