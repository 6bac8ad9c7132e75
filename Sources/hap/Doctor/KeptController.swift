import AccessoryModel
import HAPController
import HAPCore

/// The controller that is kept in a folder, as it can be read there.
struct KeptController: Sendable {
    var identity: ControllerIdentity
    var pairings: [KeptPairing]

    /// Reads it; `nil` when none is kept there.
    ///
    /// Makes nothing, and changes nothing that is kept.
    static func read(_ folder: String) async throws(StoreError) -> KeptController? {
        guard try ControllerStateStore.exists(in: folder) else { return nil }
        let store = try await ControllerStateStore.open(folder: folder)
        let controller: KeptController?
        do throws(StoreError) {
            let pairings = try await store.pairings()
            controller = try await store.identity().map { KeptController(identity: $0, pairings: pairings) }
        } catch {
            try? await store.close()
            throw error
        }
        try await store.close()
        return controller
    }

    /// The accessory that people call so, else the one with this device ID.
    func pairing(named name: String) -> KeptPairing? {
        pairings.first { $0.alias == name }
            ?? DeviceID(name).flatMap { id in pairings.first { $0.deviceID == id } }
    }

    /// The accessory that says this of itself in pair-verify; what it says is never taken for an alias.
    func pairing(identifiedAs identifier: String) -> KeptPairing? {
        pairings.first { kept in
            kept.pairing.identifier == Array(identifier.utf8)
                || kept.deviceID != nil && kept.deviceID == DeviceID(identifier)
        }
    }
}
