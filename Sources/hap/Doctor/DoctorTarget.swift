import AccessoryModel
import Discovery
import HAPController
import HAPCore

/// What `hap doctor` is to look at from outside: a place, and who ought to be there.
struct DoctorTarget: Sendable {
    var endpoint: AccessoryEndpoint
    /// Who ought to answer there, when the target was named as an accessory that we are paired with.
    var pairing: StoredPairing?

    /// How many aliases are named at most.
    private static let maximumListedAliases = 20

    /// Reads `HOST:PORT`, else finds where an accessory is that is kept under this alias or device ID, else where one
    /// with this device ID announces itself.
    init(named text: String, _ controller: StoredController?) async throws(CommandFailure) {
        if let place = AccessoryEndpoint(argument: text) {
            self.endpoint = place
            return
        }
        pairing = controller?.pairing(named: text)
        if let place = pairing?.endpoint {
            self.endpoint = place
            return
        }
        if let deviceID = pairing?.deviceID ?? DeviceID(text) {
            do throws(ControllerError) {
                guard let found = try await DiscoveryEndpointResolver(AccessoryBrowser()).endpoints(of: deviceID).first
                else {
                    throw .notFound(deviceID)
                }
                endpoint = AccessoryEndpoint(host: found.host, port: found.port)
                return
            } catch {
                throw CommandFailure.unavailable(error.description)
            }
        }
        let known = pairing == nil ? "" : "It is not known where \(text.printable) is. "
        let aliases = (controller?.pairings ?? []).map(\.alias).sorted().prefix(Self.maximumListedAliases)
            .map(\.printable)
        let paired = aliases.isEmpty ? "" : " (\(aliases.joined(separator: ", ")))"
        throw CommandFailure.usage(
            "\(known)Write the accessory as HOST:PORT, such as 192.168.1.20:51826, or as the alias of a paired one\(paired)."
        )
    }
}

/// The controller that is kept in a folder, as it can be read there.
struct StoredController: Sendable {
    var identity: ControllerIdentity
    var pairings: [StoredPairing]

    /// Reads it; `nil` when none is kept there.
    ///
    /// Makes nothing, and changes nothing that is kept.
    static func read(_ folder: String) async throws(StoreError) -> StoredController? {
        guard try ControllerStateStore.exists(in: folder) else { return nil }
        let store = try await ControllerStateStore.open(folder: folder)
        let controller: StoredController?
        do throws(StoreError) {
            let pairings = try await store.pairings()
            controller = try await store.identity().map { StoredController(identity: $0, pairings: pairings) }
        } catch {
            try? await store.close()
            throw error
        }
        try await store.close()
        return controller
    }

    /// The accessory that people call so, else the one with this device ID.
    func pairing(named name: String) -> StoredPairing? {
        pairings.first { $0.alias == name }
            ?? DeviceID(name).flatMap { id in pairings.first { $0.deviceID == id } }
    }

    /// The accessory that says this of itself in pair-verify; what it says is never taken for an alias.
    func pairing(identifiedAs identifier: String) -> StoredPairing? {
        pairings.first { stored in
            stored.pairing.identifier == Array(identifier.utf8)
                || stored.deviceID != nil && stored.deviceID == DeviceID(identifier)
        }
    }
}
