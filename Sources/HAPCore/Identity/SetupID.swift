/// Four characters that let a controller recognise the accessory whose QR code was scanned.
///
/// HAP: §3
public struct SetupID: Sendable, Hashable {
    /// Four characters of `0-9A-Z`.
    public let text: String

    /// Reads four characters of `0-9A-Z`; `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 4, text.utf8.allSatisfy(Self.alphabet.contains) else { return nil }
        self.text = String(text)
    }

    /// Draws a new one.
    public static func random(using generator: inout some RandomNumberGenerator) -> SetupID {
        let characters = (0..<4).map { _ in alphabet[Int.random(in: alphabet.indices, using: &generator)] }
        return SetupID(trusted: String(decoding: characters, as: UTF8.self))
    }

    /// `0-9A-Z` in the order of their value in base 36.
    package static let alphabet = [UInt8]("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)

    private init(trusted text: String) {
        self.text = text
    }
}

extension SetupID: CustomStringConvertible {
    /// The four characters.
    public var description: String {
        text
    }
}
