/// A controller that may open sessions with an accessory server.
///
/// HAP: §1
public struct Pairing: Sendable, Hashable {
    /// The controller's identifier, unique among the pairings.
    public let identifier: ControllerIdentifier
    /// The controller's long-term public key.
    public let publicKey: Ed25519PublicKey
    /// Whether the controller may manage pairings.
    public var isAdmin: Bool

    /// Creates a pairing.
    public init(identifier: ControllerIdentifier, publicKey: Ed25519PublicKey, isAdmin: Bool) {
        self.identifier = identifier
        self.publicKey = publicKey
        self.isAdmin = isAdmin
    }
}

/// The pairing identifier of a controller: 1 to 36 bytes, stored and returned exactly as received.
///
/// Usually the text of an upper-case UUID. Two identifiers are equal if their bytes are.
///
/// HAP: §1, §9
public struct ControllerIdentifier: Sendable, Hashable {
    /// The bytes as received.
    public let bytes: [UInt8]

    /// Creates an identifier of 1 to 36 bytes; `nil` for any other count.
    public init?(_ bytes: some Collection<UInt8>) {
        guard 1...36 ~= bytes.count else { return nil }
        self.bytes = Array(bytes)
    }

    /// Creates an identifier from the UTF-8 of a text of 1 to 36 bytes.
    public init?(_ text: String) {
        self.init(text.utf8)
    }
}

extension ControllerIdentifier: CustomStringConvertible {
    /// The bytes as text, with everything that is not printable ASCII shown as `?`.
    public var description: String {
        String(decoding: bytes.map { 0x20...0x7E ~= $0 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}
