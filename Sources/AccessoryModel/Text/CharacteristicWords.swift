internal import HAPCore

/// A characteristic's values in people's words, both ways.
package struct CharacteristicWords: Sendable, Hashable {
    /// What the values mean.
    package var type: CharacteristicType
    /// What they may be.
    package var metadata: CharacteristicMetadata

    /// Takes what is known of a characteristic.
    package init(_ type: CharacteristicType, _ metadata: CharacteristicMetadata) {
        self.type = type
        self.metadata = metadata
    }

    /// The value that somebody has written; `nil` when it is none of the characteristic's.
    ///
    /// Taken are names of values in any case (`closed`), numbers with or without the unit (`21.5`, `80 %`), `on` and
    /// `off`, `true` and `false`, `yes` and `no`, texts as they are, and Base64 for bytes.
    package func value(parsing text: String) -> CharacteristicValue? {
        written(text).flatMap { metadata.value(from: $0, isStrict: true) }
    }

    /// What a value may be, in words, such as `Open (0) or Closed (1)`, or `0 to 100 %`.
    package var allowedValues: String {
        switch metadata.format {
        case .bool: return "on or off"
        case .string: return "a text of at most \(metadata.maximumLength ?? 64) bytes"
        case .tlv8, .data:
            return "bytes in Base64" + (metadata.maximumDataLength.map { ", \($0) at most" } ?? "")
        case .uint8, .uint16, .uint32, .uint64, .int, .float: break
        }
        let names = (Catalogue.characteristic(type)?.valueNames ?? [])
            .filter { metadata.value(from: CharacteristicValue.number($0.value), isStrict: true) != nil }
        if !names.isEmpty {
            return names.map { "\($0.name) (\($0.value))" }.alternatives
        }
        if !metadata.validValues.isEmpty {
            return metadata.validValues.prefix(20).map(\.description).alternatives
        }
        let unit = metadata.unit.map { " \($0.symbol)" } ?? ""
        let kind = metadata.format == .float ? "a number" : "a whole number"
        let least = metadata.minimum ?? metadata.format.integerRange?.lowerBound
        let greatest = metadata.maximum ?? metadata.format.integerRange?.upperBound
        let range =
            switch (least, greatest) {
            case (let least?, let greatest?): " from \(least) to \(greatest)\(unit)"
            case (let least?, nil): " from \(least)\(unit)"
            case (nil, let greatest?): " up to \(greatest)\(unit)"
            case (nil, nil): unit.isEmpty ? "" : " of\(unit)"
            }
        let step = metadata.step.flatMap { $0 > 0 && $0 != 1 ? " in steps of \($0)" : nil } ?? ""
        return kind + range + step
    }

    /// The name of a value, such as `Closed` for 1; `nil` where values have no names.
    package func name(of value: CharacteristicValue) -> String? {
        guard let number = value.number else { return nil }
        return Catalogue.characteristic(type)?.valueNames.first { $0.value == number }?.name
    }

    /// The value for people, on one line: its name, else with its unit; texts without quotes.
    ///
    /// What could break the line or steer a terminal stands as `\u{1B}`.
    package func text(of value: CharacteristicValue?) -> String {
        guard let value else { return "–" }
        if let name = name(of: value) { return name }
        switch value {
        case .number(let number):
            return metadata.unit.map { "\(number)\($0 == .arcdegrees ? "" : " ")\($0.symbol)" } ?? "\(number)"
        case .string(let text): return text.withVisibleControls
        case .bool, .data: return value.description
        }
    }

    /// The value before it is held against the metadata.
    private func written(_ text: String) -> CharacteristicValue? {
        switch metadata.format {
        case .string: return .string(text)
        case .tlv8, .data: return Base64.decode(text.utf8).map { .data($0) }
        case .bool, .uint8, .uint16, .uint32, .uint64, .int, .float: break
        }
        let key = Catalogue.key(text)
        let names = Catalogue.characteristic(type)?.valueNames ?? []
        if let named = names.first(where: { Catalogue.key($0.name) == key }) { return .number(named.value) }
        switch key {
        case "on", "true", "yes": return true
        case "off", "false", "no": return false
        default: return JSONNumber(parsing: withoutUnit(text)).map { .number($0) }
        }
    }

    private func withoutUnit(_ text: String) -> String {
        guard let symbol = metadata.unit?.symbol, text.hasSuffix(symbol) else { return text }
        let number = text.dropLast(symbol.count)
        return String(number.last == " " ? number.dropLast() : number)
    }
}

extension [String] {
    /// `a, b or c`.
    package var alternatives: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}
