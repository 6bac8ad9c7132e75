import AccessoryModel
import HAPCore
import Storage
import TestSupport

typealias AnyStore = any IdentityStore & PairingStore & AttributeStore

/// The implementations of the stores, each of which must pass the same suites.
enum StoreUnderTest: CaseIterable, Sendable {
    case memory
    case database

    /// Runs a test against a new store.
    func run(_ claim: (AnyStore) async throws -> Void) async throws {
        switch self {
        case .memory:
            try await claim(InMemoryStore())
        case .database:
            let folder = try TemporaryFolder()
            let state = try await StateStore.open(folder: folder.state)
            // This is another server in the same folder, whose data must not change.
            let neighbor = state.server(key: "neighbor")
            try await neighbor.save(try sampleIdentity(device: "FF:FF:FF:FF:FF:FF", fill: 9))
            try await neighbor.apply(.put(try samplePairing("neighbor")))
            try await claim(state.server(key: "garage"))
            try await state.close()
        }
    }
}
