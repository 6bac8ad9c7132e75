internal import HAPCore

extension AddressFinding {
    /// Where an accessory says it is; empty when nobody has said so within the time.
    nonisolated(nonsending) func places(
        of deviceID: DeviceID,
        within patience: Duration
    ) async throws(ControllerError) -> [AccessoryPlace] {
        guard patience > .zero else { return [] }
        let result = await withTaskGroup(of: Result<[AccessoryPlace], ControllerError>.self) { group in
            group.addTask {
                do throws(ControllerError) {
                    return .success(try await self.places(of: deviceID))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                try? await Task.sleep(for: patience)
                return .success([])
            }
            defer { group.cancelAll() }
            return await group.next() ?? .success([])
        }
        return try result.get()
    }
}
