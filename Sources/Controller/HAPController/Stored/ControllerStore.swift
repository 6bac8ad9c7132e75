public import AccessoryModel
public import HAPCore

/// Stores the identity of a controller and its pairings.
///
/// Every change is on disk when the call returns. A pairing is identified by the accessory's identifier and long-term
/// key: a process that still has a removed or renamed pairing can neither restore it nor change another one.
public protocol ControllerStore: Sendable {
    /// Returns the controller's identifier and long-term key; `nil` before the first one is saved.
    func identity() async throws(StoreError) -> ControllerIdentity?

    /// Saves the identity, unless there is one.
    ///
    /// - Returns: The stored identity, which another process may have saved first.
    func save(_ identity: ControllerIdentity) async throws(StoreError) -> ControllerIdentity

    /// Returns the pairings, in the order in which the accessories were paired.
    func pairings() async throws(StoreError) -> [StoredPairing]

    /// Saves a new pairing, or replaces the one with the same identifier and key, with this alias and endpoint.
    func save(_ pairing: StoredPairing) async throws(StoreError) -> SavePairingResult

    /// Changes the alias of a pairing.
    func rename(_ pairing: AccessoryPairing, to alias: String) async throws(StoreError) -> RenamePairingResult

    /// Saves the current endpoint of an accessory; has no effect if there is no such pairing.
    func save(host: String, port: UInt16, of pairing: AccessoryPairing) async throws(StoreError)

    /// Removes a pairing and its cached database; has no effect if there is none.
    func remove(_ pairing: AccessoryPairing) async throws(StoreError)

    /// Returns the database as it was last read; `nil` if none was saved.
    func database(of pairing: AccessoryPairing) async throws(StoreError) -> CachedDatabase?

    /// Saves the database; has no effect if there is no such pairing.
    func save(_ database: CachedDatabase, of pairing: AccessoryPairing) async throws(StoreError)

    /// Counts a setup code that was not accepted.
    ///
    /// - Parameter target: The target of the attempt, as the caller names it.
    /// - Returns: The number of rejected codes since the last call of ``resetWrongCodes(at:)``, including this one.
    func countWrongCode(at target: String) async throws(StoreError) -> Int

    /// Resets the count, because a code was accepted.
    func resetWrongCodes(at target: String) async throws(StoreError)
}

/// A stored pairing with an accessory server.
public struct StoredPairing: Sendable, Hashable {
    /// The name that users give the accessory; unique in a store.
    public var alias: String
    /// The identity of the accessory; its identifier is unique in a store.
    public var pairing: AccessoryPairing
    /// The last host name or address.
    ///
    /// It has a zone only if the user entered it that way.
    public var host: String?
    /// The last port.
    public var port: UInt16?

    /// Creates one.
    public init(alias: String, pairing: AccessoryPairing, host: String? = nil, port: UInt16? = nil) {
        self.alias = alias
        self.pairing = pairing
        self.host = host
        self.port = port
    }

    /// The last endpoint; `nil` if it is not stored.
    package var endpoint: AccessoryEndpoint? {
        guard let host, let port else { return nil }
        return AccessoryEndpoint(host: host, port: port)
    }

    /// The device ID; `nil` if the accessory's identifier is not one.
    public var deviceID: DeviceID? {
        DeviceID(String(decoding: pairing.identifier, as: UTF8.self))
    }
}

/// An accessory server's response to `GET /accessories`, and its configuration number.
///
/// HAP: §11.7
public struct CachedDatabase: Sendable, Hashable {
    /// The configuration number that was announced at that time; `nil` if it was not known.
    public var configurationNumber: UInt64?
    /// The unchanged body.
    public var body: [UInt8]

    /// Creates one.
    public init(configurationNumber: UInt64?, body: [UInt8]) {
        self.configurationNumber = configurationNumber
        self.body = body
    }
}

/// The outcome of saving a pairing.
public enum SavePairingResult: Sendable, Hashable {
    /// The change is on disk.
    case saved
    /// The alias belongs to another accessory; nothing was changed.
    case aliasTaken
    /// The accessory's identifier is stored with another long-term key, under this alias; nothing was changed.
    case differentKey(alias: String)
}

/// The outcome of renaming a pairing.
public enum RenamePairingResult: Sendable, Hashable {
    /// The change is on disk.
    case renamed
    /// The alias belongs to another accessory; nothing was changed.
    case aliasTaken
    /// The pairing no longer exists; nothing was changed.
    case notFound
}
