package import HAPCore

extension CharacteristicMetadata {
    /// Converts a controller's JSON to a value, or returns `nil` if it is not valid for this characteristic.
    ///
    /// Booleans are accepted as `true`, `false`, 1 and 0, also by every numeric format. A number in range is rounded to
    /// the nearest step, counted from the minimum. With `isStrict`, a number that is not on a step is refused instead.
    ///
    /// HAP: §11.5, §13 rule 5, §0 (numbers)
    package func value(from json: JSONValue, isStrict: Bool) -> CharacteristicValue? {
        switch format {
        case .bool:
            switch json {
            case .bool(let value): .bool(value)
            case .number(0): .bool(false)
            case .number(1): .bool(true)
            case .number, .null, .string, .array, .object: nil
            }
        case .uint8, .uint16, .uint32, .uint64, .int, .float:
            switch json {
            case .bool(let value): number(from: value ? 1 : 0, isStrict: isStrict).map(CharacteristicValue.number)
            case .number(let value): number(from: value, isStrict: isStrict).map(CharacteristicValue.number)
            case .null, .string, .array, .object: nil
            }
        case .string:
            switch json {
            case .string(let text) where allowsLength(of: text): .string(text)
            case .string, .null, .bool, .number, .array, .object: nil
            }
        case .tlv8, .data:
            switch json {
            case .string(let text): Base64.decode(text.utf8).flatMap { allowsLength(of: $0) ? .data($0) : nil }
            case .null, .bool, .number, .array, .object: nil
            }
        }
    }

    /// Converts a value to this characteristic's format, or returns `nil` if it is not valid for this characteristic.
    package func value(from value: CharacteristicValue, isStrict: Bool) -> CharacteristicValue? {
        switch value {
        case .bool(let value): self.value(from: JSONValue.bool(value), isStrict: isStrict)
        case .number(let value): self.value(from: JSONValue.number(value), isStrict: isStrict)
        case .string(let text): format == .string && allowsLength(of: text) ? value : nil
        case .data(let bytes): format == .tlv8 || format == .data ? (allowsLength(of: bytes) ? value : nil) : nil
        }
    }

    private func number(from number: JSONNumber, isStrict: Bool) -> JSONNumber? {
        guard isInRange(number), let stepped = roundedToStep(number, isStrict: isStrict) else { return nil }
        guard isInRange(stepped), validValues.isEmpty || validValues.contains(stepped) else { return nil }
        return stepped
    }

    private func isInRange(_ number: JSONNumber) -> Bool {
        if let range = format.integerRange {
            guard number.isIntegral, range.contains(number) else { return false }
        }
        return minimum.map { $0 <= number } ?? true && maximum.map { number <= $0 } ?? true
    }

    /// Returns the number on the nearest step in range; with `isStrict`, `nil` if the number is not on a step.
    private func roundedToStep(_ number: JSONNumber, isStrict: Bool) -> JSONNumber? {
        guard let step, step > 0 else { return number }
        // If the minimum is an integer, every integer is on a step of 1.
        if step == 1, format.integerRange != nil, (minimum ?? 0).isIntegral { return number }
        // A Double cannot represent every 64-bit integer.
        if format.integerRange != nil, let number = number.integer(as: Int128.self),
            let origin = (minimum ?? 0).wideInteger, let step = step.wideInteger
        {
            let nearest = nearestStep(to: number, from: origin, by: step)
            return isStrict && nearest != number ? nil : JSONNumber(nearest)
        }
        let origin = minimum?.double ?? 0
        let steps = ((number.double - origin) / step.double).rounded()
        // At this magnitude, a Double cannot distinguish one step from the next.
        guard steps.isFinite else { return number }
        var nearest = origin + steps * step.double
        if let maximum, nearest > maximum.double + step.double * 1e-6 {
            nearest = origin + (steps - 1) * step.double
        }
        let isOnStep = abs(nearest - number.double) <= step.double * 1e-3
        if isStrict, !isOnStep { return nil }
        guard let rounded = JSONNumber(nearest.roundedToMillionths) else { return nil }
        // If a limit has more decimals, rounding must not move the number past it.
        return min(max(rounded, minimum ?? rounded), maximum ?? rounded)
    }

    private func nearestStep(to number: Int128, from origin: Int128, by step: Int128) -> Int128 {
        let (steps, rest) = (number - origin).quotientAndRemainder(dividingBy: step)
        let away: Int128 = rest < 0 ? -1 : 1
        let nearest = origin + (2 * abs(rest) >= step ? steps + away : steps) * step
        return isInRange(JSONNumber(nearest)) ? nearest : nearest - away * step
    }

    private func allowsLength(of text: String) -> Bool {
        (minimumLength ?? 0)...max(minimumLength ?? 0, maximumLength ?? 64) ~= text.utf8.count
    }

    private func allowsLength(of bytes: [UInt8]) -> Bool {
        bytes.count <= maximumDataLength ?? 2_097_152
    }
}

extension JSONNumber {
    fileprivate var isIntegral: Bool {
        if case .real = self { false } else { true }
    }

    /// The number as an integer that is wide enough for 64-bit arithmetic, or `nil` if it is not integral or is larger.
    fileprivate var wideInteger: Int128? {
        isIntegral ? integer() : nil
    }
}

extension Double {
    /// The value without the binary noise of a multiplication, so that 0.1 times 3 is 0.3.
    fileprivate var roundedToMillionths: Double {
        abs(self) < 1e9 ? (self * 1e6).rounded() / 1e6 : self
    }
}
