internal import AsyncPrimitives
package import Discovery
package import HAPCore
internal import HAPTransport

/// Finds accessories in the network.
///
/// Ends when the calling task is cancelled.
package protocol EndpointResolver: Sendable {
    /// Where an accessory says it is at present; empty when nobody announces it.
    func endpoints(of deviceID: DeviceID) async throws(ControllerError) -> [AccessoryEndpoint]

    /// The accessory whose announced setup hash matches a setup ID, `nil` when none does.
    ///
    /// HAP: §3
    func deviceID(matching setupID: SetupID) async throws(ControllerError) -> DeviceID?

    /// The addresses of a name that ends in `.local`, which the system's own resolver may not know; empty when nobody
    /// is called so.
    func addresses(ofHost host: String) async throws(ControllerError) -> [String]

    /// What an accessory announces, now and whenever it changes: a slow reader is given the latest. `nil` while nothing
    /// can be heard. Ends with the reader's task.
    func announcements(of deviceID: DeviceID) -> AsyncStream<DiscoveredAccessory?>
}

extension EndpointResolver {
    /// None: the name is left to the system.
    package func addresses(ofHost host: String) async throws(ControllerError) -> [String] {
        []
    }

    /// Hears nothing.
    package func announcements(of deviceID: DeviceID) -> AsyncStream<DiscoveredAccessory?> {
        AsyncStream { $0.finish() }
    }
}

extension EndpointResolver {
    /// Where an accessory says it is; empty when nobody has said so within the time.
    nonisolated(nonsending) func endpoints(
        of deviceID: DeviceID,
        within timeout: Duration
    ) async throws(ControllerError) -> [AccessoryEndpoint] {
        try await Self.withTimeout(timeout, otherwise: []) { () async throws(ControllerError) in
            try await self.endpoints(of: deviceID)
        }
    }

    /// Who announces the hash of a setup ID; `nil` when nobody has said so within the time.
    nonisolated(nonsending) func deviceID(
        matching setupID: SetupID,
        within timeout: Duration
    ) async throws(ControllerError) -> DeviceID? {
        try await Self.withTimeout(timeout, otherwise: nil) { () async throws(ControllerError) in
            try await self.deviceID(matching: setupID)
        }
    }

    /// The addresses of a name that ends in `.local`; empty when nobody has said so within the time.
    nonisolated(nonsending) func addresses(
        ofHost host: String,
        within timeout: Duration
    ) async throws(ControllerError) -> [String] {
        try await Self.withTimeout(timeout, otherwise: []) { () async throws(ControllerError) in
            try await self.addresses(ofHost: host)
        }
    }

    private nonisolated(nonsending) static func withTimeout<Value: Sendable>(
        _ timeout: Duration,
        otherwise nothing: Value,
        _ search: @escaping @Sendable () async throws(ControllerError) -> Value
    ) async throws(ControllerError) -> Value {
        guard timeout > .zero else { return nothing }
        let result = await withTaskGroup(of: Result<Value, ControllerError>.self) { group in
            group.addTask {
                await Result(catching: search)
            }
            group.addTask {
                try? await Task.sleep(for: timeout)
                return .success(nothing)
            }
            defer { group.cancelAll() }
            return await group.next() ?? .success(nothing)
        }
        return try result.get()
    }
}

/// Gathers the answers to several requests; belongs to one event loop.
final class ResponseCollector {
    private var responses: [ControllerChannelHandler.ResponseResult?]
    private var missing: Int
    private let onCompletion: ([ControllerChannelHandler.ResponseResult]) -> Void

    init(count: Int, onCompletion: @escaping ([ControllerChannelHandler.ResponseResult]) -> Void) {
        responses = Array(repeating: nil, count: count)
        missing = count
        self.onCompletion = onCompletion
    }

    /// Takes the answer to one request, each once.
    func set(_ response: ControllerChannelHandler.ResponseResult, at position: Int) {
        responses[position] = response
        missing -= 1
        if missing == 0 {
            onCompletion(responses.compactMap(\.self))
        }
    }
}
