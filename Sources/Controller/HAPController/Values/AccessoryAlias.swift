public import HAPCore

/// The aliases of paired accessories.
package enum AccessoryAlias {
    /// Returns an alias made from an accessory's name: in lower case, with hyphens, and with a number if it is already
    /// in use.
    ///
    /// `Kilgo Garage` becomes `kilgo-garage`, a second one `kilgo-garage-2`. The result is a valid alias for every
    /// name.
    package static func suggestion(for name: String?, taken: some Sequence<String>) -> String {
        let short = words(in: name ?? "")
        let stem = short.isEmpty ? "accessory" : isValid(short) ? short : "accessory-\(short)"
        let taken = Set(taken)
        var alias = stem
        var number = 1
        while taken.contains(alias) {
            number += 1
            alias = "\(stem)-\(number)"
        }
        return alias
    }

    /// Returns whether a text can be an alias.
    ///
    /// An alias has 1 to 64 printable bytes without spaces, `:`, `/` and `=`. It must not look like an option, a
    /// number, the `aid.iid` of a characteristic, a device ID or an address.
    package static func isValid(_ text: String) -> Bool {
        1...64 ~= text.utf8.count && !text.hasPrefix("-")
            && text.contains { !$0.isASCII || !"0123456789.".contains($0) }
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse, .surrogate,
                    .unassigned:
                    false
                default: !":/=".unicodeScalars.contains(scalar)
                }
            }
    }

    /// Returns the letters and digits of a name in lower case, with a hyphen in place of everything between them, at
    /// most 32 bytes.
    private static func words(in name: String) -> String {
        var short = ""
        // A name may be very long, so only its beginning is converted to lower case.
        for character in String(name.prefix(64)).lowercased() {
            // A character may contain joiners and other invisible scalars after the letter.
            let isWord = character.isLetter || character.isNumber
            let stored =
                isWord ? String(String.UnicodeScalarView(character.unicodeScalars.filter(isWordCharacter))) : ""
            guard short.utf8.count + stored.utf8.count <= 32 else { break }
            if !stored.isEmpty {
                short += stored
            } else if !short.isEmpty, short.last != "-" {
                short.append("-")
            }
        }
        while short.last == "-" {
            short.removeLast()
        }
        return short
    }

    private static func isWordCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark: true
        default: scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        }
    }
}

/// The accessory to pair with.
public enum AccessoryTarget: Sendable, Hashable {
    /// The accessory at this host name or address, and port.
    case address(host: String, port: UInt16)
    /// The accessory that announces this device ID.
    case device(DeviceID)
    /// The accessory whose announcement matches the setup ID of the setup payload.
    case matchingPayload
}
