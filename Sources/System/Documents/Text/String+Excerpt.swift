internal import HAPCore

extension String {
    /// The beginning of the text in quotation marks, with `?` for characters that cannot be printed.
    package var excerpt: String {
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
