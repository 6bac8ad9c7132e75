import HAPController
import HAPCore

/// Finds accessories at places that are known beforehand.
struct KnownPlaces: AddressFinding {
    var places: [AccessoryPlace]
    var deviceID: DeviceID?
    /// Why nobody can be asked; `nil` when somebody can.
    var failure: ControllerError?

    func places(of deviceID: DeviceID) async throws(ControllerError) -> [AccessoryPlace] {
        if let failure { throw failure }
        return places
    }

    func deviceID(matching setupID: SetupID) async throws(ControllerError) -> DeviceID? {
        deviceID
    }
}
