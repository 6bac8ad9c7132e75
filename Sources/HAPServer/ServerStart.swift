internal import AccessoryModel
internal import HAPCore
internal import NIOCore

/// What the store of a server holds, apart from values.
struct ServerRecords: Sendable {
    var identity: IdentityRecord
    var pairings: PairingTable
    var identifiers: IdentifierMap
    /// The number that counts the changes of the structure.
    var configuration: ConfigurationRecord
}

/// What a server begins with: what was kept, brought up to date with what is declared.
struct ServerStart: Sendable {
    var records: ServerRecords
    var database: AttributeDatabase
    /// Whether the structure is another one than at the last start.
    var hasNewStructure: Bool
    /// The Model characteristic of the primary accessory.
    var model: String

    /// Loads what is kept, and keeps what is new: identity, ids and configuration number are on disk when this returns.
    init(
        _ configuration: ServerConfiguration,
        accessories: [Accessory],
        store: any AccessoryServerStore
    ) async throws {
        let stored = try await store.attributes()
        var identifiers = stored.identifiers
        database = try AttributeDatabase(
            accessories,
            identifiers: &identifiers,
            isVerbatim: configuration.servesVerbatim
        )
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
            // Pairings without an admin among them are none.
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

    /// The kept identity, with a new verifier when the setup code has changed; a new one at the first start.
    private static func identity(
        _ configuration: ServerConfiguration,
        store: any AccessoryServerStore
    ) async throws -> IdentityRecord {
        if var stored = try await store.identity() {
            if let code = configuration.setupCode, code != stored.setupCode {
                stored.setupCode = code
                stored.verifier = SRPVerifier.make(code: code)
                try await store.save(stored)
            }
            return stored
        }
        var generator = SodiumRandomNumberGenerator()
        let code = configuration.setupCode ?? .random(using: &generator)
        let new = IdentityRecord(
            identity: .random(deviceID: configuration.initialDeviceID),
            setupID: configuration.initialSetupID ?? .random(using: &generator),
            setupCode: code,
            verifier: .make(code: code)
        )
        try await store.save(new)
        return new
    }
}

extension ConfigurationRecord {
    /// The record with the number that a first start begins with; one that stands for a structure stays as it is.
    fileprivate func starting(with number: UInt16?) -> ConfigurationRecord {
        guard digest.isEmpty, let number else { return self }
        return ConfigurationRecord(number: number)
    }
}

/// The file descriptors that the event loops of a process take.
///
/// The shared group of event loops is made when it is first used, all loops at once. NIO ends the process when one of
/// them finds no descriptor, so that a program checks that there are enough before.
package enum EventLoopDescriptors {
    /// How many are taken by the shared group: three for each loop.
    package static var count: Int {
        3 * NIOSingletons.groupLoopCountSuggestion
    }
}
