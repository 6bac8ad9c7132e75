/// The names under which people keep accessories.
package enum AccessoryAlias {
    /// A short name made from an accessory's: lower-case, with dashes, numbered when it is taken.
    ///
    /// `Kilgo Garage` becomes `kilgo-garage`, a second one `kilgo-garage-2`.
    package static func suggestion(for name: String?, taken: some Sequence<String>) -> String {
        var short = ""
        for character in (name ?? "").lowercased() where short.utf8.count + character.utf8.count <= 32 {
            if character.isLetter || character.isNumber {
                short.append(character)
            } else if !short.isEmpty, short.last != "-" {
                short.append("-")
            }
        }
        while short.last == "-" {
            short.removeLast()
        }
        let stem = short.isEmpty ? "accessory" : short
        let taken = Set(taken)
        var alias = stem
        var number = 1
        while taken.contains(alias) {
            number += 1
            alias = "\(stem)-\(number)"
        }
        return alias
    }

    /// Whether a text can be an alias: 1 to 64 bytes, printable, without blanks, and no device ID or address.
    package static func isValid(_ text: String) -> Bool {
        1...64 ~= text.utf8.count && !text.hasPrefix("-")
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: false
                default: scalar != ":" && scalar != "/"
                }
            }
    }
}
