internal import AsyncPrimitives
package import Discovery
package import HAPCore

/// Finds accessories in the network.
///
/// Every function ends when the calling task is canceled.
package protocol EndpointResolver: Sendable {
    /// Returns the announced endpoints of an accessory; empty if it is not announced.
    func endpoints(of deviceID: DeviceID) async throws(ControllerError) -> [AccessoryEndpoint]

    /// Returns the device ID of the accessory whose announced setup hash matches a setup ID; `nil` if there is none.
    ///
    /// HAP: §3
    func deviceID(matching setupID: SetupID) async throws(ControllerError) -> DeviceID?

    /// Returns the addresses of a host name that ends in `.local`, which the system's resolver may not find; empty if
    /// no host has this name.
    func addresses(ofHost host: String) async throws(ControllerError) -> [String]

    /// Returns the announcements of an accessory, now and after every change.
    ///
    /// A slow reader gets only the latest one. An element `nil` means that announcements cannot be received at the
    /// moment. The stream ends with the reader's task.
    func announcements(of deviceID: DeviceID) -> AsyncStream<DiscoveredAccessory?>
}

extension EndpointResolver {
    /// Returns the announced endpoints of an accessory; empty after the timeout.
    nonisolated(nonsending) func endpoints(
        of deviceID: DeviceID,
        within timeout: Duration
    ) async throws(ControllerError) -> [AccessoryEndpoint] {
        try await Self.withTimeout(timeout, otherwise: []) { () async throws(ControllerError) in
            try await self.endpoints(of: deviceID)
        }
    }

    /// Returns the device ID that matches a setup ID; `nil` after the timeout.
    nonisolated(nonsending) func deviceID(
        matching setupID: SetupID,
        within timeout: Duration
    ) async throws(ControllerError) -> DeviceID? {
        try await Self.withTimeout(timeout, otherwise: nil) { () async throws(ControllerError) in
            try await self.deviceID(matching: setupID)
        }
    }

    /// Returns the addresses of a host name that ends in `.local`; empty after the timeout.
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
        let result: Result<Value, ControllerError>? = await withTimeLimit(timeout) { await Result(catching: search) }
        guard let result else { return nothing }
        return try result.get()
    }
}

/// Collects the responses to several requests; belongs to one event loop.
final class ResponseCollector {
    private var responses: [ControllerChannelHandler.ResponseResult?]
    private var missing: Int
    private let onCompletion: ([ControllerChannelHandler.ResponseResult]) -> Void

    init(count: Int, onCompletion: @escaping ([ControllerChannelHandler.ResponseResult]) -> Void) {
        responses = Array(repeating: nil, count: count)
        missing = count
        self.onCompletion = onCompletion
    }

    /// Stores the response to one request; called once for each request.
    func set(_ response: ControllerChannelHandler.ResponseResult, at position: Int) {
        responses[position] = response
        missing -= 1
        if missing == 0 {
            onCompletion(responses.compactMap(\.self))
        }
    }
}
