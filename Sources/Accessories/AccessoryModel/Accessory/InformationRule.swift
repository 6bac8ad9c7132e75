/// A rule for a value of the Accessory Information service, independent of the declared limits.
///
/// HAP: §11.2
struct InformationRule {
    /// A description of the allowed values, for use at the end of a sentence.
    let requirement: String
    private let isAllowed: @Sendable (String) -> Bool

    /// Creates the rule for a characteristic, or returns `nil` if it has none.
    init?(_ type: CharacteristicType) {
        switch type {
        case .manufacturer, .name: self.init(length: 0...64)
        case .model: self.init(length: 1...64)
        case .serialNumber: self.init(length: 2...64)
        case .firmwareRevision:
            self.init(
                requirement: "a version of the form x, x.y or x.y.z, with numbers below 4294967296",
                isAllowed: Self.isVersion
            )
        default: return nil
        }
    }

    /// Returns whether a value is allowed; a missing value is not allowed.
    func allows(_ value: CharacteristicValue?) -> Bool {
        value?.string.map(isAllowed) ?? false
    }

    private init(length: ClosedRange<Int>) {
        self.init(requirement: "a text of \(length.lowerBound) to \(length.upperBound) bytes in UTF-8") { text in
            length.contains(text.utf8.count)
        }
    }

    private init(requirement: String, isAllowed: @escaping @Sendable (String) -> Bool) {
        self.requirement = requirement
        self.isAllowed = isAllowed
    }

    private static func isVersion(_ text: String) -> Bool {
        let numbers = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return 1...3 ~= numbers.count
            && numbers.allSatisfy { digits in
                // UInt32 would also accept a sign.
                digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } && UInt32(Substring(digits)) != nil
            }
    }
}
