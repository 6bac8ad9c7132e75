internal import HAPCore

extension AddressFinding {
    /// Where an accessory says it is; empty when nobody has said so within the time.
    nonisolated(nonsending) func places(
        of deviceID: DeviceID,
        within patience: Duration
    ) async throws(ControllerError) -> [AccessoryPlace] {
        try await Self.answer(within: patience, otherwise: []) { () async throws(ControllerError) in
            try await self.places(of: deviceID)
        }
    }

    /// Who announces the hash of a setup ID; `nil` when nobody has said so within the time.
    nonisolated(nonsending) func deviceID(
        matching setupID: SetupID,
        within patience: Duration
    ) async throws(ControllerError) -> DeviceID? {
        try await Self.answer(within: patience, otherwise: nil) { () async throws(ControllerError) in
            try await self.deviceID(matching: setupID)
        }
    }

    /// The addresses of a name that ends in `.local`; empty when nobody has said so within the time.
    nonisolated(nonsending) func addresses(
        ofHost host: String,
        within patience: Duration
    ) async throws(ControllerError) -> [String] {
        try await Self.answer(within: patience, otherwise: []) { () async throws(ControllerError) in
            try await self.addresses(ofHost: host)
        }
    }

    private nonisolated(nonsending) static func answer<Value: Sendable>(
        within patience: Duration,
        otherwise nothing: Value,
        _ search: @escaping @Sendable () async throws(ControllerError) -> Value
    ) async throws(ControllerError) -> Value {
        guard patience > .zero else { return nothing }
        let result = await withTaskGroup(of: Result<Value, ControllerError>.self) { group in
            group.addTask {
                do throws(ControllerError) {
                    return .success(try await search())
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                try? await Task.sleep(for: patience)
                return .success(nothing)
            }
            defer { group.cancelAll() }
            return await group.next() ?? .success(nothing)
        }
        return try result.get()
    }
}
