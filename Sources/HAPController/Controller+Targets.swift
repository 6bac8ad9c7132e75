internal import AccessoryModel
internal import HAPCore
internal import NIOCore

extension Controller {
    /// Lets an accessory that is paired with nobody show which one it is.
    ///
    /// HAP: §18
    ///
    /// - Throws: ``ControllerError/Code/alreadyPaired`` when it is paired, and others.
    public static func identifyUnpaired(
        host: String,
        port: UInt16,
        configuration: ControllerConfiguration = ControllerConfiguration()
    ) async throws(ControllerError) {
        let connection = try await Connector.connect(
            to: [AccessoryPlace(host: host, port: port)],
            within: configuration.connectionTime,
            configuration: configuration,
            on: nextLoop()
        )
        defer { connection.close() }
        let answer = try await connection.request(HTTPRequest(.post, .identify), within: configuration.requestTime)
        if answer.status == 400, answer.hapStatus == .insufficientPrivileges {
            throw ControllerError(.refused(.unavailable), at: connection.place)
        }
        guard 200..<300 ~= answer.status else {
            throw .requestFailed("the request to identify itself", http: answer.status, answer.hapStatus)
        }
    }

    /// The code that people have read, if they have read one.
    static func setupCode(of setup: SetupInput) throws(ControllerError) -> SetupCode {
        switch setup {
        case .code(let code): return code
        case .payload(let payload):
            if let code = payload.setupCode { return code }
            throw ControllerError(
                .wrongCode,
                reason: "The setup payload holds no setup code.",
                remedy: "Give the code that is on the accessory."
            )
        }
    }

    /// The device ID that the target must have, `nil` when none is known.
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
                throw .notFound("The setup code alone does not tell which accessory is meant.")
            }
            guard let finder else { throw .notFound("Nothing is known of the accessories in this network.") }
            onProgress(.looking)
            guard let found = try await finder.deviceID(matching: setupID, within: searchTime(until: deadline))
            else {
                throw .notFoundByPayload
            }
            return found
        }
    }

    /// Where the target may be.
    func places(
        of target: AccessoryTarget,
        _ deviceID: DeviceID?,
        until deadline: Deadline,
        _ onProgress: (PairingProgress) -> Void
    ) async throws(ControllerError) -> [AccessoryPlace] {
        if case .address(let host, let port) = target {
            guard let finder, host.lowercased().hasSuffix(".local") else {
                return [AccessoryPlace(host: host, port: port)]
            }
            onProgress(.looking)
            // Where no daemon answers the system may know the name all the same.
            let addresses = (try? await finder.addresses(ofHost: host, within: searchTime(until: deadline))) ?? []
            guard !Task.isCancelled else { throw .cancelled }
            return (addresses.isEmpty ? [host] : addresses).map { AccessoryPlace(host: $0, port: port) }
        }
        guard let finder, let deviceID else { throw .notFound("Nothing is known of the accessories in this network.") }
        onProgress(.looking)
        let places = try await finder.places(of: deviceID, within: searchTime(until: deadline))
        guard !places.isEmpty else { throw .notFound(deviceID) }
        return places
    }

    /// How long a search may take: a quarter of the whole time is left to connect.
    private func searchTime(until deadline: Deadline) -> Duration {
        deadline.left - configuration.connectionTime / 4
    }
}
