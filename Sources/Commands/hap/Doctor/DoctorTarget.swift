import AccessoryModel
import Discovery
import HAPController
import HAPCore
import Hosting

/// The accessory that `hap doctor` inspects from outside: its endpoint and its pairing.
struct DoctorTarget: Sendable {
    var endpoint: AccessoryEndpoint
    /// The pairing with the accessory, if the target was given as the alias or device ID of a paired accessory.
    var pairing: StoredPairing?

    /// The maximum number of aliases in an error message.
    private static let maximumListedAliases = 20

    /// Resolves a target.
    ///
    /// The text is `HOST:PORT`, the alias or device ID of a paired accessory, or the device ID or the name of an accessory
    /// that announces itself. A paired accessory is looked for at its stored endpoint first.
    init(named text: String, _ controller: StoredController?) async throws {
        if let place = AccessoryEndpoint(argument: text) {
            self.endpoint = place
            return
        }
        pairing = controller?.pairing(named: text)
        if let place = pairing?.endpoint {
            self.endpoint = place
            return
        }
        var deviceID = pairing?.deviceID ?? DeviceID(text)
        if pairing == nil, deviceID == nil {
            do {
                guard case .device(let found) = try await PairingArguments.target(named: text) else {
                    throw Self.unusable
                }
                deviceID = found
            } catch {
                let aliases = (controller?.pairings ?? []).map(\.alias).sorted().prefix(Self.maximumListedAliases)
                    .map(\.printable)
                guard !aliases.isEmpty else { throw error }
                let failure = CommandFailure(error)
                throw CommandFailure(failure.code, "\(failure.message) Paired are: \(aliases.joined(separator: ", ")).")
            }
        }
        guard let deviceID else { throw Self.unusable }
        do throws(ControllerError) {
            guard let found = try await DiscoveryEndpointResolver(AccessoryBrowser()).endpoints(of: deviceID).first
            else {
                throw .notFound(deviceID)
            }
            endpoint = AccessoryEndpoint(host: found.host, port: found.port)
        } catch {
            throw CommandFailure.unavailable(error.description)
        }
    }

    /// The failure for a stored pairing with neither an address nor a device ID.
    private static var unusable: CommandFailure {
        .usage("The address of the accessory is not known; write HOST:PORT, such as 192.168.1.20:51826.")
    }
}

/// The controller that is stored in a folder, as a read-only copy.
struct StoredController: Sendable {
    var identity: ControllerIdentity
    var pairings: [StoredPairing]

    /// Reads the controller, or returns `nil` if none is stored in the folder.
    ///
    /// This creates no store and changes nothing in an existing one.
    static func read(_ folder: String) async throws(StoreError) -> StoredController? {
        guard try ControllerStateStore.exists(in: folder) else { return nil }
        return try await ControllerStateStore.open(folder: folder)
            .closing { store async throws(StoreError) -> StoredController? in
                let pairings = try await store.pairings()
                return try await store.identity().map { StoredController(identity: $0, pairings: pairings) }
            }
    }

    /// Returns the pairing with this alias, or else the one with this device ID.
    func pairing(named name: String) -> StoredPairing? {
        pairings.first { $0.alias == name }
            ?? DeviceID(name).flatMap { id in pairings.first { $0.deviceID == id } }
    }

    /// Returns the pairing whose accessory reported this identifier in pair-verify.
    ///
    /// Aliases are not compared with the identifier.
    func pairing(identifiedAs identifier: String) -> StoredPairing? {
        pairings.first { stored in
            stored.pairing.identifier == Array(identifier.utf8)
                || stored.deviceID != nil && stored.deviceID == DeviceID(identifier)
        }
    }
}
