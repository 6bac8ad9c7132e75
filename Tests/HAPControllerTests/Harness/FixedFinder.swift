import HAPController
import HAPCore

/// A resolver that finds accessories at endpoints that the test sets.
struct FixedFinder: EndpointResolver {
    var endpoints: [AccessoryEndpoint]
    var deviceID: DeviceID?
    /// The error of every search, or `nil` if searches succeed.
    var failure: ControllerError?

    func endpoints(of deviceID: DeviceID) async throws(ControllerError) -> [AccessoryEndpoint] {
        if let failure { throw failure }
        return endpoints
    }

    func deviceID(matching setupID: SetupID) async throws(ControllerError) -> DeviceID? {
        deviceID
    }
}
