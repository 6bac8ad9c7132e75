internal import HAPCore

/// The name under which a service appears on the network: 1 to 63 bytes of UTF-8.
///
/// A name should contain only letters, digits, spaces and apostrophes. Other characters are allowed, but may prevent
/// Apple's Home app from adding the accessory.
///
/// HAP: §2
package struct InstanceName: Sendable, Hashable {
    /// The name.
    package let text: String

    /// The longest name in bytes: the length of a DNS label.
    package static let maximumLength = 63

    /// Makes a valid name from any text.
    ///
    /// Control characters become spaces, leading and trailing spaces are removed, a text that is too long is cut
    /// between two characters, and an empty text becomes `Accessory`.
    package init(_ text: some StringProtocol) {
        let cut = Self.trimmed(text).prefix(utf8Bytes: Self.maximumLength)
        let name = Self.trimmed(cut)
        self.text = name.isEmpty ? "Accessory" : String(name)
    }

    /// Returns the name to try if this one is in use: `Name 2`, `Name 3`; the name itself for 1.
    ///
    /// The end of a long name is cut to make room for the number.
    package func alternative(_ number: Int) -> InstanceName {
        guard number > 1 else { return self }
        let suffix = " \(number)"
        return InstanceName(text.prefix(utf8Bytes: Self.maximumLength - suffix.utf8.count) + suffix)
    }

    /// Returns the text without control characters, and without spaces at its ends.
    ///
    /// A NUL character would end the name in C, and a newline would break listings.
    private static func trimmed(_ text: some StringProtocol) -> Substring {
        var scalars = Substring.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            scalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return Substring(scalars.trimmingSuffix { $0 == " " }.drop { $0 == " " })
    }
}

extension InstanceName: CustomStringConvertible {
    /// The name.
    package var description: String {
        text
    }
}

extension BidirectionalCollection {
    fileprivate func trimmingSuffix(while predicate: (Element) -> Bool) -> SubSequence {
        var end = endIndex
        while end > startIndex, predicate(self[index(before: end)]) {
            formIndex(before: &end)
        }
        return self[..<end]
    }
}
