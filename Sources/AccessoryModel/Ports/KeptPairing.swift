public import HAPCore

/// An accessory server that a controller is paired with, as it is kept.
public struct KeptPairing: Sendable, Hashable {
    /// The name people use for it; each at most once in a store.
    public var alias: String
    /// Who it is; each identifier at most once in a store.
    public var pairing: AccessoryPairing
    /// Where it was last: a name or an address; one with a zone only where people have named it so.
    public var host: String?
    /// The port where it was last.
    public var port: UInt16?

    /// Creates one.
    public init(alias: String, pairing: AccessoryPairing, host: String? = nil, port: UInt16? = nil) {
        self.alias = alias
        self.pairing = pairing
        self.host = host
        self.port = port
    }

    /// The device ID, `nil` when the accessory's identifier is none.
    public var deviceID: DeviceID? {
        DeviceID(String(decoding: pairing.identifier, as: UTF8.self))
    }
}
