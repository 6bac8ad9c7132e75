import AsyncPrimitives
import Discovery
import HAPController
import HAPCore

/// What came back when a stranger asked a question over HTTP.
enum HTTPProbeResult: Sendable, Hashable {
    case message(HTTPMessage)
    /// Something that is not HTTP, or larger than it may be.
    case malformed(String)
    /// The connection was closed without an answer.
    case closed
    /// Nothing, or not the whole of it, in time.
    case timedOut

    /// Takes what came of a request over a connection.
    init(_ result: Result<HTTPMessage, ControllerError>) {
        switch result {
        case .success(let message): self = .message(message)
        case .failure(let error):
            switch error.code {
            case .malformed(let fault): self = .malformed(fault.description)
            case .timedOut: self = .timedOut
            default: self = .closed
            }
        }
    }
}

/// What an accessory shows to a stranger: its answers, and what it announces.
struct RemoteReport: Sendable, Hashable {
    /// What pair-verify told.
    enum Identity: Sendable, Hashable {
        case reported(String)
        case refused(PairingErrorCode)
        case failed(String)
    }

    var target: AccessoryEndpoint
    /// The addresses of the target as text; `nil` when its name was not answered in time.
    var addresses: [String]?
    /// Why there is no connection.
    var failure: ConnectFailure?
    /// Where a connection was taken, with the address when the system does not know the name; `nil` when nowhere.
    var reachedEndpoint: AccessoryEndpoint?
    /// From nothing to the answer to the first request; `nil` when none came.
    var responseTime: Duration?
    /// The answer to `GET /accessories`.
    var accessories: HTTPProbeResult?
    var identity: Identity?
    /// What is announced in this network.
    var services: Result<[ResolvedService], DiscoveryError>

    /// How long each step may take.
    private static let timeout = Duration.seconds(3)

    /// Looks, for at most four times ``timeout``.
    static func inspect(at target: AccessoryEndpoint) async -> RemoteReport {
        var look = RemoteReport(target: target, services: .success([]))
        var addresses = await target.resolve(within: 3)
        var host = target.host
        if addresses?.isEmpty ?? true, target.host.lowercased().hasSuffix(".local") {
            // The system's name service does not know such names everywhere; the daemon does.
            // The session that may follow goes there, too.
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
                look.accessories = HTTPProbeResult(
                    try await Connector.sendUnencrypted(request, at: place, within: Self.timeout)
                )
                look.failure = nil
                if case .message = look.accessories {
                    look.responseTime = began.duration(to: .now)
                    look.reachedEndpoint = AccessoryEndpoint(host: host, port: target.port)
                    look.identity = await identity(at: place)
                }
                break
            } catch {
                look.failure = error
                // Each address that does not answer at all takes all the time there is.
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

    /// What the accessory announces, found by who it is, else by where it is.
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
