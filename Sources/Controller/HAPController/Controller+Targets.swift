internal import AccessoryModel
internal import HAPCore
internal import NIOCore

extension Controller {
    /// Makes an unpaired accessory identify itself.
    ///
    /// HAP: §18
    ///
    /// - Throws: ``ControllerError``, with the code ``ControllerError/Code/alreadyPaired`` if it is paired.
    public static func identifyUnpaired(
        host: String,
        port: UInt16,
        configuration: ControllerConfiguration = ControllerConfiguration()
    ) async throws(ControllerError) {
        let connection = try await Connector.connect(
            to: [AccessoryEndpoint(host: host, port: port)],
            by: TCPTransport(),
            within: configuration.connectionTime,
            configuration: configuration,
            on: nextEventLoop()
        )
        defer { connection.close() }
        let response = try await connection.request(HTTPRequest(.post, .identify), within: configuration.requestTime)
        if response.status == 400, response.hapStatus == .insufficientPrivileges {
            throw ControllerError(.refused(.unavailable), at: connection.endpoint)
        }
        guard 200..<300 ~= response.status else {
            throw .requestFailed("the request to identify itself", http: response.status, response.hapStatus)
        }
    }

    /// Returns the setup code of the user's input; throws if the payload contains none.
    static func setupCode(of setup: SetupInput) throws(ControllerError) -> SetupCode {
        switch setup {
        case .code(let code): return code
        case .payload(let payload):
            if let code = payload.setupCode { return code }
            throw ControllerError(
                .wrongCode,
                reason: "The QR code contains no setup code.",
                remedy: "Write the eight digits that are on the accessory or its packaging."
            )
        }
    }

    /// Returns the device ID that the target must have; `nil` if unknown.
    func deviceID(
        of target: AccessoryTarget,
        _ setup: SetupInput,
        until deadline: Deadline,
        _ onProgress: (PairingProgress) -> Void
    ) async throws(ControllerError) -> DeviceID? {
        switch target {
        case .address: return nil
        case .device(let deviceID): return deviceID
        case .matchingPayload:
            guard case .payload(let payload) = setup, let setupID = payload.setupID else {
                throw .notFound("The setup code alone does not identify the accessory.")
            }
            guard let resolver else { throw .notFound("This controller cannot search the network for accessories.") }
            onProgress(.discovering)
            guard let found = try await resolver.deviceID(matching: setupID, within: searchTimeout(until: deadline))
            else {
                throw .notFoundByPayload
            }
            return found
        }
    }

    /// Returns the possible endpoints of the target.
    func endpoints(
        of target: AccessoryTarget,
        _ deviceID: DeviceID?,
        until deadline: Deadline,
        _ onProgress: (PairingProgress) -> Void
    ) async throws(ControllerError) -> [AccessoryEndpoint] {
        if case .address(let host, let port) = target {
            guard let resolver, host.lowercased().hasSuffix(".local") else {
                return [AccessoryEndpoint(host: host, port: port)]
            }
            onProgress(.discovering)
            // Without a daemon, the system's resolver may still find the name.
            let addresses = (try? await resolver.addresses(ofHost: host, within: searchTimeout(until: deadline))) ?? []
            guard !Task.isCancelled else { throw .cancelled }
            return (addresses.isEmpty ? [host] : addresses).map { AccessoryEndpoint(host: $0, port: port) }
        }
        guard let resolver, let deviceID else {
            throw .notFound("This controller cannot search the network for accessories.")
        }
        onProgress(.discovering)
        let endpoints = try await resolver.endpoints(of: deviceID, within: searchTimeout(until: deadline))
        guard !endpoints.isEmpty else { throw .notFound(deviceID) }
        return endpoints
    }

    /// Returns the timeout of a search, which reserves a quarter of the whole time for connecting.
    private func searchTimeout(until deadline: Deadline) -> Duration {
        deadline.remaining - configuration.connectionTime / 4
    }
}
