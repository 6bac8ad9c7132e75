import Discovery
import Foundation
import HAPController
import HAPCore
import Storage

extension RemoteTarget {
    /// Reads `HOST:PORT`, else finds where an accessory is that is kept under this alias or device ID, else where one
    /// with this device ID announces itself.
    init(named text: String, in state: StateLocation) async throws(CommandFailure) {
        if let target = RemoteTarget(text) {
            self = target
            return
        }
        var isKept = false
        do throws(ControllerError) {
            if (try? ControllerStateStore.exists(in: state.path)) == true {
                let controller = try await Controller.open(state: state.path)
                let kept = try await controller.pairings().first { $0.alias == text || $0.deviceID == DeviceID(text) }
                await controller.close()
                if let host = kept?.host, let port = kept?.port {
                    self.init(host: host, port: port)
                    return
                }
                isKept = kept != nil
            }
            if let deviceID = DeviceID(text) {
                let finder = AccessoryFinder(AccessoryBrowser())
                guard let place = try await finder.places(of: deviceID).first else { throw .notFound(deviceID) }
                self.init(host: place.host, port: place.port)
                return
            }
        } catch {
            throw CommandFailure(.unavailable, error.description)
        }
        let known = isKept ? "It is not known where \(text.printable) is. " : ""
        throw CommandFailure(
            .usage,
            "\(known)Write the accessory as HOST:PORT, such as 192.168.1.20:51826, or as the alias of a paired one."
        )
    }
}
