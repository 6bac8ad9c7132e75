public import AccessoryModel
public import HAPCore

/// Keeps who a controller is, and which accessories it is paired with.
///
/// Every call that changes something returns when the change is on disk. A pairing is named by what no other has, the
/// accessory's identifier with its long-term key: whoever still holds one that was removed, or has another name by now,
/// can neither bring it back nor write into another one.
public protocol ControllerStore: Sendable {
    /// The controller's identifier and long-term key, `nil` before the first one is kept.
    func identity() async throws(StoreError) -> ControllerIdentity?

    /// Keeps the identity, unless there is one already.
    ///
    /// - Returns: the one that is kept: another process may have been first.
    func save(_ identity: ControllerIdentity) async throws(StoreError) -> ControllerIdentity

    /// The accessories in the order in which they were paired.
    func pairings() async throws(StoreError) -> [StoredPairing]

    /// Keeps a pairing that was made, or one with the same identifier and key anew, with this alias and place.
    func save(_ pairing: StoredPairing) async throws(StoreError) -> SavePairingResult

    /// Keeps a pairing under another alias.
    func rename(_ pairing: AccessoryPairing, to alias: String) async throws(StoreError) -> RenamePairingResult

    /// Keeps where an accessory is now; nothing happens when there is no such pairing.
    func save(host: String, port: UInt16, of pairing: AccessoryPairing) async throws(StoreError)

    /// Forgets a pairing and what was cached for it; nothing happens when there is none.
    func remove(_ pairing: AccessoryPairing) async throws(StoreError)

    /// The database as it was last read, `nil` when it was not.
    func database(of pairing: AccessoryPairing) async throws(StoreError) -> CachedDatabase?

    /// Keeps the database; nothing happens when there is no such pairing.
    func save(_ database: CachedDatabase, of pairing: AccessoryPairing) async throws(StoreError)

    /// Counts a setup code that was not accepted.
    ///
    /// - Parameter target: what it was tried on, in the caller's words.
    /// - Returns: how many there were since the last call of ``resetWrongCodes(at:)``, this one included.
    func countWrongCode(at target: String) async throws(StoreError) -> Int

    /// Begins the count anew: a code was accepted.
    func resetWrongCodes(at target: String) async throws(StoreError)
}

/// An accessory server that a controller is paired with, as it is kept.
public struct StoredPairing: Sendable, Hashable {
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

    /// Where it was last reached; `nil` when that is not stored.
    package var endpoint: AccessoryEndpoint? {
        guard let host, let port else { return nil }
        return AccessoryEndpoint(host: host, port: port)
    }

    /// The device ID, `nil` when the accessory's identifier is none.
    public var deviceID: DeviceID? {
        DeviceID(String(decoding: pairing.identifier, as: UTF8.self))
    }
}

/// What an accessory server answered to `GET /accessories`, and when it said so.
///
/// HAP: §11.7
public struct CachedDatabase: Sendable, Hashable {
    /// The configuration number that was announced at the time; `nil` when it was not known.
    public var configurationNumber: UInt64?
    /// The body as it came.
    public var body: [UInt8]

    /// Creates one.
    public init(configurationNumber: UInt64?, body: [UInt8]) {
        self.configurationNumber = configurationNumber
        self.body = body
    }
}

/// What came of keeping a pairing.
public enum SavePairingResult: Sendable, Hashable {
    /// It is on disk.
    case saved
    /// The alias belongs to another accessory; nothing was changed.
    case aliasTaken
    /// The accessory's identifier is kept with another long-term key, under this alias; nothing was changed.
    case differentKey(alias: String)
}

/// What came of keeping a pairing under another alias.
public enum RenamePairingResult: Sendable, Hashable {
    /// It is on disk.
    case renamed
    /// The alias belongs to another accessory; nothing was changed.
    case aliasTaken
    /// The pairing no longer exists; nothing was changed.
    case notFound
}
