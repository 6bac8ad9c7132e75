/// The setup code that a user enters for pairing: eight digits, written and hashed as `XXX-XX-XXX`.
///
/// The description is redacted, so that a code is only printed where `text` is used.
///
/// HAP: §3
public struct SetupCode: Sendable, Hashable {
    /// The ten characters, dashes included.
    public let text: String

    /// Reads eight digits, with or without the hyphens of `XXX-XX-XXX`.
    ///
    /// Returns `nil` for any other form and for the twelve codes that HAP forbids: eight equal digits, `123-45-678` and
    /// `876-54-321`.
    public init?(_ text: String) {
        let digits = text.utf8.compactMap(\.decimalDigit)
        guard digits.count == 8, Set(digits).count > 1 else { return nil }
        let plain = digits.map(String.init).joined()
        let hyphenated = "\(plain.prefix(3))-\(plain.dropFirst(3).prefix(2))-\(plain.dropFirst(5))"
        guard text == hyphenated || text == plain else { return nil }
        guard hyphenated != "123-45-678", hyphenated != "876-54-321" else { return nil }
        self.text = hyphenated
    }

    /// A regular expression for both written forms.
    package static let pattern = "^([0-9]{3}-[0-9]{2}-[0-9]{3}|[0-9]{8})$"

    /// Returns a random code that is allowed; every allowed code is equally likely.
    public static func random(using generator: inout some RandomNumberGenerator) -> SetupCode {
        while true {
            let digits = (0..<8).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
            if let code = SetupCode(digits) {
                return code
            }
        }
    }

    /// The eight digits as a number, as the setup payload carries it.
    public var number: UInt32 {
        text.utf8.compactMap(\.decimalDigit).reduce(0) { $0 * 10 + UInt32($1) }
    }
}

extension SetupCode: CustomReflectable {
    /// An empty mirror, so that `dump` does not show the code either.
    public var customMirror: Mirror {
        Mirror(self, children: [])
    }
}

extension SetupCode: CustomStringConvertible {
    /// A fixed text without the code.
    public var description: String {
        "setup code (hidden)"
    }
}

/// Four characters that let a controller recognize the accessory whose QR code was scanned.
///
/// HAP: §3
public struct SetupID: Sendable, Hashable {
    /// Four characters of `0-9A-Z`.
    public let text: String

    /// Parses four characters of `0-9A-Z`; `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 4, text.utf8.allSatisfy(Self.alphabet.contains) else { return nil }
        self.text = String(text)
    }

    /// Generates a new setup ID.
    public static func random(using generator: inout some RandomNumberGenerator) -> SetupID {
        let characters = (0..<4).map { _ in alphabet[Int.random(in: alphabet.indices, using: &generator)] }
        return SetupID(unchecked: String(decoding: characters, as: UTF8.self))
    }

    /// The characters `0-9A-Z` in the order of their values in base 36.
    package static let alphabet = [UInt8]("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)

    private init(unchecked text: String) {
        self.text = text
    }
}

extension SetupID: CustomStringConvertible {
    /// The four characters.
    public var description: String {
        text
    }
}

/// Four bytes that let a controller recognize the accessory whose code was scanned: `sh` of the TXT record.
///
/// HAP: §3
public struct SetupHash: Sendable, Hashable {
    /// The first four bytes of SHA-512 over setup ID and device ID.
    public let bytes: [UInt8]

    /// Computes the hash of an accessory server.
    public init(setupID: SetupID, deviceID: DeviceID) {
        bytes = Array(SHA512.hash(Array(setupID.text.utf8) + Array(deviceID.text.utf8)).prefix(4))
    }

    /// The TXT value: eight characters of Base64.
    public var text: String {
        Base64.encode(bytes)
    }
}

extension SetupHash: CustomStringConvertible {
    /// The TXT value.
    public var description: String {
        text
    }
}
