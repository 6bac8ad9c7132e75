/// The identity of an accessory server on the network, also its pairing identifier: `XX:XX:XX:XX:XX:XX`.
///
/// The TXT record, M6, M2 and every signature contain the same text in the same letter case.
///
/// HAP: §1
public struct DeviceID: Sendable, Hashable {
    /// Seventeen characters: six upper-case hexadecimal bytes with colons.
    public let text: String

    /// Parses six hexadecimal bytes with colons, in either case; `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 17 else { return nil }
        for (position, byte) in bytes.enumerated() {
            if position % 3 == 2 {
                guard byte == UInt8(ascii: ":") else { return nil }
            } else {
                guard byte.hexadecimalDigit != nil else { return nil }
            }
        }
        self.text = text.uppercased()
    }

    /// Generates a new device ID of six random bytes.
    public static func random(using generator: inout some RandomNumberGenerator) -> DeviceID {
        let bytes = (0..<6).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return DeviceID(bytes: bytes)
    }

    private init(bytes: [UInt8]) {
        text = bytes.map { $0.paddedHexadecimal.uppercased() }.joined(separator: ":")
    }
}

extension DeviceID: CustomStringConvertible {
    /// The seventeen characters.
    public var description: String {
        text
    }
}
