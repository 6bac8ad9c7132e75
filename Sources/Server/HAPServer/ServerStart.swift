internal import AccessoryModel
internal import HAPCore
internal import NIOCore

/// The content of a server's store, except for values.
struct ServerRecords: Sendable {
    var identity: IdentityRecord
    var pairings: PairingTable
    var identifiers: IdentifierMap
    /// The number that counts the changes of the structure.
    var configuration: ConfigurationRecord
}

/// The initial state of a server: the saved state, updated to the declaration.
struct ServerStart: Sendable {
    var records: ServerRecords
    var database: AttributeDatabase
    /// Whether the structure has changed since the last start.
    var hasNewStructure: Bool
    /// The Model characteristic of the primary accessory.
    var model: String

    /// Loads the saved state, and saves its new parts.
    ///
    /// The identity, the ids and the configuration number are on disk when this returns.
    init(
        _ configuration: ServerConfiguration,
        accessories: [Accessory],
        prepared: PreparedDatabase?,
        store: any AccessoryServerStore
    ) async throws {
        let stored = try await store.attributes()
        var identifiers = stored.identifiers
        if let prepared = prepared?.take(for: identifiers) {
            (database, identifiers) = prepared
        } else {
            database = try AttributeDatabase(
                accessories,
                identifiers: &identifiers,
                isVerbatim: configuration.servesVerbatim
            )
        }
        database.isStrict = configuration.isStrict
        database.restore(stored.values)
        let number = stored.configuration.starting(with: configuration.initialConfigurationNumber)
            .updated(for: database.digest)
        hasNewStructure = !stored.configuration.digest.isEmpty && number.number != stored.configuration.number
        if identifiers != stored.identifiers || number != stored.configuration {
            try await store.save(identifiers, number)
        }
        let identity = try await Self.identity(configuration, store: store)
        var pairings = try await store.pairings()
        if !pairings.isPaired, !pairings.pairings.isEmpty {
            // Without an admin, the other pairings are invalid.
            try await store.apply(.removeAll)
            pairings.apply(.removeAll)
        }
        records = ServerRecords(
            identity: identity,
            pairings: pairings,
            identifiers: identifiers,
            configuration: number
        )
        model = configuration.name
        if let index = database.index(of: .model, in: database.primary), let name = database.value(at: index)?.string {
            model = name
        }
    }

    /// Returns the saved identity, with the setup code of the configuration; generates one at the first start.
    private static func identity(
        _ configuration: ServerConfiguration,
        store: any AccessoryServerStore
    ) async throws -> IdentityRecord {
        if var stored = try await store.identity() {
            if let code = configuration.setupCode, code != stored.setupCode {
                stored.setupCode = code
                try await store.save(stored)
            }
            return stored
        }
        var generator = SodiumRandomNumberGenerator()
        let code = configuration.setupCode ?? .random(using: &generator)
        let new = IdentityRecord(
            identity: .random(deviceID: configuration.initialDeviceID),
            setupID: configuration.initialSetupID ?? .random(using: &generator),
            setupCode: code
        )
        try await store.save(new)
        return new
    }
}

extension ConfigurationRecord {
    /// Returns the record with this number at the first start; returns it unchanged if it already has a structure.
    fileprivate func starting(with number: UInt16?) -> ConfigurationRecord {
        guard digest.isEmpty, let number else { return self }
        return ConfigurationRecord(number: number)
    }
}

/// The number of file descriptors that the event loops of a process use.
///
/// The shared group of event loops is created at its first use, all loops at once. NIO ends the process if a descriptor
/// is missing, so a program checks the number before.
package enum EventLoopDescriptors {
    /// The number of descriptors of the shared group: three per loop.
    package static var count: Int {
        3 * NIOSingletons.groupLoopCountSuggestion
    }
}
