import HAPController
import HAPCore

extension AccessoryTarget {
    /// Reads `HOST:PORT`, `[ADDRESS]:PORT` or a device ID; `nil` for anything else.
    init?(argument text: String) {
        if let device = DeviceID(text) {
            self = .device(device)
        } else if let place = RemoteTarget(text) {
            self = .address(host: place.host, port: place.port)
        } else {
            return nil
        }
    }
}
