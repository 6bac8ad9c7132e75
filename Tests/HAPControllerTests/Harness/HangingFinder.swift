import HAPController
import HAPCore

/// Searches until its task is cancelled, and has found nothing then.
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
