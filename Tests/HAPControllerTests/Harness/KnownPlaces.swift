import HAPController
import HAPCore

/// Finds accessories at places that are known beforehand.
struct KnownPlaces: AddressFinding {
    var places: [AccessoryPlace]
    var deviceID: DeviceID?

    func places(of deviceID: DeviceID) async throws(ControllerError) -> [AccessoryPlace] {
        places
    }

    func deviceID(matching setupID: SetupID) async throws(ControllerError) -> DeviceID? {
        deviceID
    }
}
