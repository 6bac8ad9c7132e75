import AsyncPrimitives
import Discovery
import HAPController
import HAPCore

/// A report on an accessory as seen without a pairing: its answers and its announcement.
struct RemoteReport: Sendable, Hashable {
    /// The result of pair-verify.
    enum Identity: Sendable, Hashable {
        case reported(String)
        case refused(PairingErrorCode)
        case failed(String)
    }

    var target: AccessoryEndpoint
    /// The addresses of the target as text, or `nil` if its name was not resolved in time.
    var addresses: [String]?
    /// The reason why there is no connection.
    var failure: ConnectFailure?
    /// The endpoint that accepted a connection, or `nil` if none did.
    ///
    /// It has the address instead of the name if the system cannot resolve the name.
    var reachedEndpoint: AccessoryEndpoint?
    /// The time from the start of the connection to the answer to the first request, or `nil` if there was no answer.
    var responseTime: Duration?
    /// The answer to `GET /accessories`, or the reason why there is none although the connection was accepted.
    var accessories: Result<HTTPMessage, ControllerError>?
    var identity: Identity?
    /// The accessories that are announced on this network.
    var services: Result<[ResolvedService], DiscoveryError>

    /// The time limit of each step.
    private static let timeout = Duration.seconds(3)

    /// Inspects an accessory, for at most four times ``timeout``.
    static func inspect(at target: AccessoryEndpoint) async -> RemoteReport {
        var look = RemoteReport(target: target, services: .success([]))
        var addresses = await target.resolve(within: 3)
        var host = target.host
        if addresses?.isEmpty ?? true, target.host.lowercased().hasSuffix(".local") {
            // Not every system's name service can resolve such names, but the daemon can. A later session uses the
            // address, too.
            let found = (try? await DaemonReport.addresses(ofHost: target.host, within: Self.timeout)) ?? []
            addresses = Array(found.prefix(AccessoryEndpoint.maximumAddresses))
            host = found.first ?? host
        }
        look.addresses = addresses?.map(NumericAddress.withoutZone)
        for address in addresses ?? [] {
            let place = AccessoryEndpoint(host: address, port: target.port)
            do throws(ConnectFailure) {
                let request = HTTPRequest(.get, .accessories)
                let began = ContinuousClock.now
                look.accessories = try await Connector.sendUnencrypted(request, at: place, within: Self.timeout)
                look.failure = nil
                if case .success = look.accessories {
                    look.responseTime = began.duration(to: .now)
                    look.reachedEndpoint = AccessoryEndpoint(host: host, port: target.port)
                    look.identity = await identity(at: place)
                }
                break
            } catch {
                look.failure = error
                // Each address that does not answer at all takes the full time limit, so no further address is tried.
                if error == .timedOut { break }
            }
        }
        look.services = await Result { () async throws(DiscoveryError) in
            try await DaemonReport.accessories(within: Self.timeout)
        }
        return look
    }

    private static func identity(at place: AccessoryEndpoint) async -> Identity {
        let inquiry = PairVerifyQuery(ephemeral: .random())
        let request = HTTPRequest(.post, .pairVerify, body: inquiry.request)
        guard case .success(let message)? = try? await Connector.sendUnencrypted(request, at: place, within: timeout)
        else {
            return .failed("it does not answer")
        }
        guard message.status == 200 else { return .failed("it answers with status \(message.status)") }
        do throws(PairingFailure) {
            return .reported(try inquiry.identifier(in: message.body))
        } catch {
            switch error {
            case .refused(let error): return .refused(error)
            case .invalid(let error): return .failed(error.description)
            }
        }
    }

    /// The announcement of the accessory, found by its identifier, or else by its address and port.
    var service: ResolvedService? {
        guard case .success(let services) = services else { return nil }
        if case .reported(let identifier) = identity,
            let service = services.first(where: { $0.text["id"]?.uppercased() == identifier.uppercased() })
        {
            return service
        }
        let addresses = addresses ?? []
        return services.first { service in
            service.port == target.port
                && (addresses.contains(service.address) || service.host.lowercased() == target.host.lowercased())
        }
    }
}
