import HAPController
import HAPCore

/// A resolver that searches until its task is cancelled, and then returns nothing.
struct HangingFinder: EndpointResolver {
    func endpoints(of deviceID: DeviceID) async throws(ControllerError) -> [AccessoryEndpoint] {
        await forever()
        return []
    }

    func deviceID(matching setupID: SetupID) async throws(ControllerError) -> DeviceID? {
        await forever()
        return nil
    }

    private func forever() async {
        for await _ in AsyncStream(Void.self, { _ in }) {}
    }
}
