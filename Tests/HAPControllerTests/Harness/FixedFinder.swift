import HAPController
import HAPCore

/// Finds accessories at places that are known beforehand.
struct FixedFinder: EndpointResolver {
    var endpoints: [AccessoryEndpoint]
    var deviceID: DeviceID?
    /// Why nobody can be asked; `nil` when somebody can.
    var failure: ControllerError?

    func endpoints(of deviceID: DeviceID) async throws(ControllerError) -> [AccessoryEndpoint] {
        if let failure { throw failure }
        return endpoints
    }

    func deviceID(matching setupID: SetupID) async throws(ControllerError) -> DeviceID? {
        deviceID
    }
}
