internal import AccessoryModel
internal import HAPCore

extension ArchiveReader {
    /// Converts an archived value to the format of its characteristic; returns `nil` if it has another kind.
    ///
    /// The limits of the characteristic are not checked.
    mutating func value(
        _ value: ArchivedValue,
        format: CharacteristicFormat,
        at path: String
    ) -> CharacteristicValue? {
        switch (format, value) {
        case (_, .null): return nil
        case (.bool, .bool(let value)): return .bool(value)
        case (.bool, .number(0)): return .bool(false)
        case (.bool, .number(1)): return .bool(true)
        case (.bool, _), (.string, .data), (.string, .bool), (.string, .number): break
        case (.string, .text(let text)): return .string(text)
        case (.tlv8, .data(let bytes)), (.data, .data(let bytes)): return .data(bytes)
        case (.tlv8, .text(let text)), (.data, .text(let text)):
            if let bytes = Base64.decode(text) { return .data(bytes) }
        case (.tlv8, _), (.data, _), (.string, _): break
        case (_, .number(let number)): return .number(number)
        case (_, .bool(let value)): return .number(value ? 1 : 0)
        case (_, .text), (_, .data), (_, .list), (_, .dictionary), (_, .object), (_, .unreadable): break
        }
        warn(path, "\(value.kind) is not a value of the format \(format.rawValue); it is left out")
        return nil
    }

    /// Fits a value into the limits of its characteristic; returns `nil` if that is not possible.
    ///
    /// A number becomes the nearest valid number. A longer text or longer data raises the maximum length.
    mutating func fit(
        _ value: CharacteristicValue,
        _ metadata: inout CharacteristicMetadata,
        at path: String
    ) -> CharacteristicValue? {
        if metadata.value(from: value, isStrict: false) != nil { return value }
        switch value {
        case .bool: return value
        case .number(let number):
            let nearest = CharacteristicValue.number(metadata.nearest(to: number))
            guard metadata.value(from: nearest, isStrict: false) != nil else { break }
            warn(path, "\(number) is out of the characteristic's range; \(nearest) is used")
            return nearest
        case .string(let text):
            guard text.utf8.count <= 256 else { break }
            warn(path, "the text has \(text.utf8.count) bytes; the maximum length is raised to that")
            metadata.maximumLength = text.utf8.count
            return value
        case .data(let bytes):
            warn(path, "there are \(bytes.count) bytes; the maximum length is raised to that")
            metadata.maximumDataLength = bytes.count
            return value
        }
        warn(path, "\(ArchivedValue(value).kind) is not valid for the characteristic; it is left out")
        return nil
    }
}

extension CharacteristicMetadata {
    /// Returns the nearest number that the format and the range allow.
    fileprivate func nearest(to number: JSONNumber) -> JSONNumber {
        var nearest = number
        if format.integerRange != nil, case .real(let value) = number {
            nearest = JSONNumber(value.rounded()) ?? number
        }
        if let range = format.integerRange {
            nearest = min(max(nearest, range.lowerBound), range.upperBound)
        }
        return min(max(nearest, minimum ?? nearest), maximum ?? nearest)
    }
}

extension ArchivedValue {
    /// Creates the archived value that describes a value in messages.
    fileprivate init(_ value: CharacteristicValue) {
        switch value {
        case .bool(let value): self = .bool(value)
        case .number(let number): self = .number(number)
        case .string(let text): self = .text(text)
        case .data(let bytes): self = .data(bytes)
        }
    }
}
