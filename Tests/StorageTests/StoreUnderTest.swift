import AccessoryModel
import HAPCore
import Storage
import TestSupport

typealias AnyStore = any IdentityStore & PairingStore & AttributeStore

/// The implementations of the ports, each of which has to pass the same suites.
enum StoreUnderTest: CaseIterable, Sendable {
    case memory
    case database

    /// Runs a claim against a fresh store.
    func run(_ claim: (AnyStore) async throws -> Void) async throws {
        switch self {
        case .memory:
            try await claim(InMemoryStore())
        case .database:
            let folder = try TemporaryFolder()
            let state = try await StateStore.open(folder: folder.state)
            // Another server in the same folder, which nothing may touch.
            let neighbor = state.server(key: "neighbor")
            try await neighbor.save(try sampleIdentity(device: "FF:FF:FF:FF:FF:FF", fill: 9))
            try await neighbor.apply(.put(try samplePairing("neighbor")))
            try await claim(state.server(key: "garage"))
            try await state.close()
        }
    }
}
