internal import AccessoryModel
internal import HAPCore
internal import NIOCore

/// Opens verified connections to one accessory.
struct SessionOpener: Sendable {
    let alias: String
    let pairing: AccessoryPairing
    let identity: ControllerIdentity
    let configuration: ControllerConfiguration
    let resolver: (any EndpointResolver)?
    let transport: any ControllerTransport
    let eventLoop: any EventLoop & NIOSerialEventLoopExecutor

    /// The minimum timeout for a response of pair-verify, even if connecting took almost all of the time: some
    /// accessories compute for that long.
    private static let minimumVerifyTime = Duration.seconds(1)

    /// Connects to one of the known endpoints; if the accessory is not there, searches for it.
    ///
    /// If one endpoint fails, the others are tried. A search follows, because another device may now have the address.
    /// Only the accessory itself, after proving its identity, can say that it does not know this controller.
    nonisolated(nonsending) func open(
        knownEndpoints known: [AccessoryEndpoint]
    ) async throws(ControllerError) -> AccessoryConnection {
        var budget = configuration.connectionTime
        let canFind = resolver != nil && pairing.deviceID != nil
        var failure: ControllerError?
        if !known.isEmpty {
            var share = canFind ? budget / 2 : budget
            let before = share
            do throws(ControllerError) {
                return try await connect(toOneOf: known, within: &share)
            } catch {
                guard canFind, error.allowsOtherEndpoints else { throw error }
                failure = error
            }
            budget -= before - share
        }
        let began = now
        let found = try await resolveEndpoints(unless: failure)
        budget -= began.duration(to: now)
        guard !Task.isCancelled else { throw .cancelled }
        let others = found.filter { endpoint in !known.contains { $0.hasSameAddress(as: endpoint) } }
        guard !others.isEmpty else { throw failure ?? notAnnouncedError }
        return try await connect(toOneOf: others, within: &budget)
    }

    /// Runs pair-verify on a connection, which is encrypted afterwards.
    nonisolated(nonsending) func verify(
        _ connection: AccessoryConnection,
        within timeout: Duration
    ) async throws(ControllerError) {
        try await PairVerifyExchange.run(on: connection, identity: identity, pairing: pairing, within: timeout)
    }

    /// Searches for the accessory; if the search fails too, the earlier failure is thrown.
    private nonisolated(nonsending) func resolveEndpoints(
        unless failure: ControllerError?
    ) async throws(ControllerError) -> [AccessoryEndpoint] {
        guard let resolver, let deviceID = pairing.deviceID else {
            throw failure
                ?? ControllerError(
                    .notFound,
                    reason: "The address of \(alias) is unknown.",
                    remedy: "Pair with it again by its address."
                )
        }
        do throws(ControllerError) {
            return try await resolver.endpoints(of: deviceID, within: configuration.connectionTime / 2)
        } catch {
            throw failure ?? error
        }
    }

    private var notAnnouncedError: ControllerError {
        let deviceID = pairing.deviceID?.text ?? "without a device ID"
        return ControllerError(
            .notFound,
            reason: "No accessory on this network is announced as \(alias), \(deviceID).",
            remedy: "Check that the accessory is turned on and on this network."
        )
    }

    /// Connects to the endpoints concurrently, and continues with the others if the first to accept is not the
    /// accessory.
    ///
    /// - Parameter timeout: The timeout for connecting; pair-verify gets the time that remains.
    private nonisolated(nonsending) func connect(
        toOneOf endpoints: [AccessoryEndpoint],
        within timeout: inout Duration
    ) async throws(ControllerError) -> AccessoryConnection {
        var left = endpoints
        var failure: ControllerError?
        while !left.isEmpty {
            let began = now
            let connection: AccessoryConnection
            do throws(ControllerError) {
                connection = try await Connector.connect(
                    to: left,
                    by: transport,
                    within: max(.milliseconds(100), timeout),
                    configuration: configuration,
                    on: eventLoop
                )
            } catch {
                timeout -= began.duration(to: now)
                throw error.code == .unreachable ? failure ?? error : error
            }
            timeout -= began.duration(to: now)
            do throws(ControllerError) {
                try await verify(
                    connection,
                    within: min(configuration.pairVerifyTime, max(Self.minimumVerifyTime, timeout))
                )
                return connection
            } catch {
                connection.close()
                guard error.allowsOtherEndpoints else { throw error }
                failure = failure ?? error
            }
            left.removeAll { $0.hasSameAddress(as: connection.endpoint) }
        }
        throw failure ?? notAnnouncedError
    }

    private var now: MonotonicInstant { eventLoop.monotonicNow }
}

extension EventLoop {
    /// The present moment on the loop's clock.
    var monotonicNow: MonotonicInstant {
        MonotonicInstant(nanoseconds: Int64(clamping: now.uptimeNanoseconds))
    }
}

extension ControllerError {
    /// Whether the accessory may be at another endpoint than the one that failed.
    fileprivate var allowsOtherEndpoints: Bool {
        switch code {
        case .closed, .cancelled, .refused(.authentication): false
        default: true
        }
    }
}
