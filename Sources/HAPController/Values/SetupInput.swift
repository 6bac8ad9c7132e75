public import HAPCore

/// What people read off an accessory to pair with it.
public enum SetupInput: Sendable, Hashable {
    /// The setup code alone.
    case code(SetupCode)
    /// What a QR code or an NFC tag holds.
    case payload(SetupPayload)
}
