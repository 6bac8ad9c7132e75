/// The content of a QR code or an NFC tag: `X-HM://` and 13 characters.
///
/// HAP: §3
public struct SetupPayload: Sendable, Hashable {
    /// The transports of the accessory, and whether it can be paired.
    public struct Flags: OptionSet, Sendable, Hashable {
        /// Bits 27 to 29 of the payload, from the lowest.
        public let rawValue: UInt8

        /// Creates flags; bits other than the three defined ones are dropped.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue & 0b111
        }

        /// The accessory is paired already; the payload carries no code then.
        public static let paired = Flags(rawValue: 1 << 0)
        /// The accessory speaks HAP over IP.
        public static let ip = Flags(rawValue: 1 << 1)
        /// The accessory speaks HAP over Bluetooth LE.
        public static let ble = Flags(rawValue: 1 << 2)
    }

    /// The setup code; `nil` if the payload does not carry one.
    public let setupCode: SetupCode?
    /// The setup ID, `nil` when the payload carries no code.
    public let setupID: SetupID?
    /// The category of the accessory.
    public let category: AccessoryCategory
    /// The transports of the accessory, and whether it can be paired.
    public let flags: Flags

    /// Creates the payload of an accessory with a code.
    ///
    /// With ``Flags/paired`` the code and the ID are omitted.
    ///
    /// HAP: §3
    public init(setupCode: SetupCode, setupID: SetupID, category: AccessoryCategory, flags: Flags = .ip) {
        let isPaired = flags.contains(.paired)
        self.init(
            code: isPaired ? nil : setupCode,
            id: isPaired ? nil : setupID,
            category: category,
            flags: flags
        )
    }

    /// Creates the payload of an accessory without a printed code, or of one that is paired.
    ///
    /// HAP: §3
    public init(category: AccessoryCategory, flags: Flags = .ip) {
        self.init(code: nil, id: nil, category: category, flags: flags)
    }

    /// Reads a payload, in any letter case; ignores reserved bits.
    ///
    /// Returns `nil` for another form, another version, a category of 0, or a code that is not allowed.
    ///
    /// HAP: §3
    public init?(parsing text: some StringProtocol) {
        let bytes = text.utf8.map { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 ? $0 - 0x20 : $0 }
        guard bytes.count == 20, bytes.starts(with: Self.prefix) else { return nil }
        var number: UInt64 = 0
        for byte in bytes[7..<16] {
            guard let digit = SetupID.alphabet.firstIndex(of: byte) else { return nil }
            number = number * 36 + UInt64(digit)
        }
        guard number >> 43 == 0, let category = AccessoryCategory(UInt8(truncatingIfNeeded: number >> 31)) else {
            return nil
        }
        let id = SetupID(String(decoding: bytes[16...], as: UTF8.self))
        let flags = Flags(rawValue: UInt8(truncatingIfNeeded: number >> 27) & 0b111)
        let code = number & 0x7FF_FFFF
        if flags.contains(.paired) || code == 0 {
            guard id != nil else { return nil }
            self.init(category: category, flags: flags)
        } else {
            let digits = String(100_000_000 + code)
            guard digits.utf8.count == 9, digits.utf8.first == UInt8(ascii: "1"), let id,
                let setupCode = SetupCode(String(digits.dropFirst()))
            else { return nil }
            self.init(setupCode: setupCode, setupID: id, category: category, flags: flags)
        }
    }

    private init(code: SetupCode?, id: SetupID?, category: AccessoryCategory, flags: Flags) {
        setupCode = code
        setupID = id
        self.category = category
        self.flags = flags
    }

    /// The 20 characters, all of which are in the alphanumeric set of QR codes.
    ///
    /// They contain the setup code.
    public var text: String {
        var digits = [UInt8](repeating: UInt8(ascii: "0"), count: 9)
        var rest = number
        for position in digits.indices.reversed() {
            digits[position] = SetupID.alphabet[Int(rest % 36)]
            rest /= 36
        }
        return "X-HM://" + String(decoding: digits, as: UTF8.self) + (setupID?.text ?? "0000")
    }

    /// The 46-bit number in the payload.
    package var number: UInt64 {
        UInt64(category.rawValue) << 31 | UInt64(flags.rawValue) << 27 | UInt64(setupCode?.number ?? 0)
    }

    private static let prefix = [UInt8]("X-HM://".utf8)
}

extension SetupPayload: CustomStringConvertible {
    /// The category and the flags, never the code.
    public var description: String {
        "setup payload of \(category) (code hidden)"
    }
}
