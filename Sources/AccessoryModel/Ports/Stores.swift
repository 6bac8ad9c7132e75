public import HAPCore

/// Keeps the ids, the configuration number and the values of an accessory server.
public protocol AttributeStore: Sendable {
    /// Returns all saved attributes; none before the first start.
    func attributes() async throws(StoreError) -> AttributeRecord

    /// Keeps ids and configuration number together; returns when they are on disk.
    func save(_ identifiers: IdentifierMap, _ configuration: ConfigurationRecord) async throws(StoreError)

    /// Saves values, replacing those of the same characteristics.
    ///
    /// A power failure may lose what was saved within the last second; a kill of the process loses nothing that was
    /// saved.
    func save(_ values: [CharacteristicID: CharacteristicValue]) async throws(StoreError)
}

/// The content of an ``AttributeStore``.
public struct AttributeRecord: Sendable, Hashable {
    /// Which ids belong to what.
    public var identifiers: IdentifierMap
    /// The configuration number and the digest of its structure.
    public var configuration: ConfigurationRecord
    /// The latest values.
    public var values: [CharacteristicID: CharacteristicValue]

    /// Creates a record; without arguments, that of a first start.
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

/// Keeps who an accessory server is.
///
/// Every call returns when the change is on disk.
///
/// HAP: §1
public protocol IdentityStore: Sendable {
    /// The identity, `nil` before the first start and after a reset.
    func identity() async throws(StoreError) -> IdentityRecord?

    /// Keeps an identity in place of any other.
    func save(_ identity: IdentityRecord) async throws(StoreError)
}

/// The identity of an accessory server across restarts.
///
/// HAP: §1
public struct IdentityRecord: Sendable {
    /// Device ID and long-term key pair.
    public var identity: AccessoryIdentity
    /// The setup ID of the QR code.
    public var setupID: SetupID
    /// The setup code.
    ///
    /// Stored unencrypted, because it is shown at every start.
    public var setupCode: SetupCode
    /// Salt and verifier of the setup code.
    public var verifier: SRPVerifier
    /// The port that was picked at the first start, if one was.
    public var port: UInt16?

    /// Creates a record.
    public init(
        identity: AccessoryIdentity,
        setupID: SetupID,
        setupCode: SetupCode,
        verifier: SRPVerifier,
        port: UInt16? = nil
    ) {
        self.identity = identity
        self.setupID = setupID
        self.setupCode = setupCode
        self.verifier = verifier
        self.port = port
    }
}

/// Keeps who may open sessions with an accessory server.
///
/// Every call returns when the change is on disk.
///
/// HAP: §1
public protocol PairingStore: Sendable {
    /// The pairings in the order in which they were added, and the count of failed proofs.
    func pairings() async throws(StoreError) -> PairingTable

    /// Applies one change, completely or not at all.
    ///
    /// Runs on the caller's executor, since a controller waits for it.
    nonisolated(nonsending) func apply(_ change: PairingChange) async throws(StoreError)
}

/// The reason for which a store has failed.
public struct StoreError: Error, Sendable, Hashable {
    /// The kinds of failures.
    public enum Code: Sendable, Hashable {
        /// The place cannot be opened, read or written: permissions, a full disk.
        case unavailable
        /// Another process holds it.
        case inUse
        /// The content is damaged.
        case damaged
        /// A newer version wrote it.
        case tooNew
    }

    /// The kind of failure.
    public var code: Code
    /// What happened, in a sentence that names the file.
    public var reason: String
    /// What to do about it, in a sentence.
    public var remedy: String

    /// Creates an error.
    public init(_ code: Code, reason: String, remedy: String) {
        self.code = code
        self.reason = reason
        self.remedy = remedy
    }
}

extension StoreError: CustomStringConvertible {
    /// The two sentences.
    public var description: String {
        "\(reason) \(remedy)"
    }
}
