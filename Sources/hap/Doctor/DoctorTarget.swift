import AccessoryModel
import Discovery
import HAPController
import HAPCore

/// What `hap doctor` is to look at from outside: a place, and who ought to be there.
struct DoctorTarget: Sendable {
    var place: RemoteTarget
    /// Who ought to answer there, when the target was named as an accessory that we are paired with.
    var kept: KeptPairing?

    /// How many aliases are named at most.
    private static let listedAliases = 20

    /// Reads `HOST:PORT`, else finds where an accessory is that is kept under this alias or device ID, else where one
    /// with this device ID announces itself.
    init(named text: String, _ controller: KeptController?) async throws(CommandFailure) {
        if let place = RemoteTarget(text) {
            self.place = place
            return
        }
        kept = controller?.pairing(named: text)
        if let host = kept?.host, let port = kept?.port {
            place = RemoteTarget(host: host, port: port)
            return
        }
        if let deviceID = kept?.deviceID ?? DeviceID(text) {
            do throws(ControllerError) {
                guard let found = try await AccessoryFinder(AccessoryBrowser()).places(of: deviceID).first else {
                    throw .notFound(deviceID)
                }
                place = RemoteTarget(host: found.host, port: found.port)
                return
            } catch {
                throw CommandFailure(.unavailable, error.description)
            }
        }
        let known = kept == nil ? "" : "It is not known where \(text.printable) is. "
        let aliases = (controller?.pairings ?? []).map(\.alias).sorted().prefix(Self.listedAliases).map(\.printable)
        let paired = aliases.isEmpty ? "" : " (\(aliases.joined(separator: ", ")))"
        throw CommandFailure(
            .usage,
            "\(known)Write the accessory as HOST:PORT, such as 192.168.1.20:51826, or as the alias of a paired one\(paired)."
        )
    }
}
