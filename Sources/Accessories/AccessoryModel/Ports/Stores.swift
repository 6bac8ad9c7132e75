public import HAPCore

/// A store for the ids, the configuration number and the values of an accessory server.
public protocol AttributeStore: Sendable {
    /// Returns all saved attributes, or an empty record before the first start.
    func attributes() async throws(StoreError) -> AttributeRecord

    /// Saves ids and configuration number together, and returns when they are on disk.
    func save(_ identifiers: IdentifierMap, _ configuration: ConfigurationRecord) async throws(StoreError)

    /// Saves values, replacing the saved values of the same characteristics.
    ///
    /// A power failure may lose the values that were saved within the last second. If the process is killed, no saved
    /// value is lost. It runs on the caller's executor, which is the event loop of the server, so it must not block.
    nonisolated(nonsending) func save(_ values: [CharacteristicID: CharacteristicValue]) async throws(StoreError)
}

/// The content of an ``AttributeStore``.
public struct AttributeRecord: Sendable, Hashable {
    /// The ids of all objects.
    public var identifiers: IdentifierMap
    /// The configuration number and the digest of its structure.
    public var configuration: ConfigurationRecord
    /// The latest values.
    public var values: [CharacteristicID: CharacteristicValue]

    /// Creates a record; the defaults are those of a first start.
    public init(
        identifiers: IdentifierMap = IdentifierMap(),
        configuration: ConfigurationRecord = ConfigurationRecord(),
        values: [CharacteristicID: CharacteristicValue] = [:]
    ) {
        self.identifiers = identifiers
        self.configuration = configuration
        self.values = values
    }
}

/// A store for what the drivers of a server keep.
package protocol DriverDataStore: Sendable {
    /// Returns the blobs of a driver by their names.
    func driverData(of owner: DriverDataOwner) async throws(StoreError) -> [String: [UInt8]]

    /// Saves a blob, or deletes it with `nil`; returns when that is on disk.
    func setDriverData(_ bytes: [UInt8]?, name: String, of owner: DriverDataOwner) async throws(StoreError)
}

/// The driver of an accessory of a server.
package struct DriverDataOwner: Sendable, Hashable {
    /// The key of the accessory.
    package let accessory: String
    /// The name of the driver.
    package let driver: String

    package init(accessory: String, driver: String) {
        (self.accessory, self.driver) = (accessory, driver)
    }
}

/// A store for the identity of an accessory server.
///
/// Every call returns when the change is on disk.
///
/// HAP: §1
public protocol IdentityStore: Sendable {
    /// Returns the identity, or `nil` before the first start and after a reset.
    func identity() async throws(StoreError) -> IdentityRecord?

    /// Saves an identity, replacing the previous one.
    func save(_ identity: IdentityRecord) async throws(StoreError)
}

/// The identity that an accessory server has across restarts.
///
/// HAP: §1
public struct IdentityRecord: Sendable {
    /// The device ID and the long-term key pair.
    public var identity: AccessoryIdentity
    /// The setup ID of the QR code.
    public var setupID: SetupID
    /// The setup code.
    ///
    /// It is stored unencrypted, because it is shown at every start.
    public var setupCode: SetupCode
    /// The port that was chosen at the first start, or `nil` if none was chosen.
    public var port: UInt16?

    /// Creates a record.
    public init(
        identity: AccessoryIdentity,
        setupID: SetupID,
        setupCode: SetupCode,
        port: UInt16? = nil
    ) {
        self.identity = identity
        self.setupID = setupID
        self.setupCode = setupCode
        self.port = port
    }
}

/// A store for the controllers that may open sessions with an accessory server.
///
/// Every call returns when the change is on disk.
///
/// HAP: §1
public protocol PairingStore: Sendable {
    /// Returns the pairings in the order in which they were added, and the number of failed proofs.
    func pairings() async throws(StoreError) -> PairingTable

    /// Applies one change, completely or not at all.
    ///
    /// It runs on the caller's executor, because a controller waits for it.
    nonisolated(nonsending) func apply(_ change: PairingChange) async throws(StoreError)
}

/// The reason why a store failed.
public struct StoreError: ExplainedError {
    /// The kinds of failures.
    public enum Code: Sendable, Hashable {
        /// The file cannot be opened, read or written, for example because of its permissions or because the disk is
        /// full.
        case unavailable
        /// Another process uses the store.
        case inUse
        /// The content is damaged.
        case damaged
        /// A newer version of hap wrote the content.
        case tooNew
    }

    /// The kind of failure.
    public var code: Code
    /// A sentence that says what failed and names the file.
    public var reason: String
    /// A sentence that says what to do.
    public var remedy: String

    /// Creates an error.
    public init(_ code: Code, reason: String, remedy: String) {
        self.code = code
        self.reason = reason
        self.remedy = remedy
    }
}
