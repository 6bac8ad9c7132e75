internal import AccessoryModel
internal import HAPCore

extension PairedAccessory {
    /// How long an answer of pair-verify may take however late a connection was there: some accessories compute for so long.
    private static let leastVerifyTime = Duration.seconds(1)

    /// Connects to where it was last or announces itself; when it is not there, to where it is found.
    ///
    /// Whatever goes wrong at one place, the others are tried, and it is searched for: anybody may sit where it was. Its
    /// own word alone counts, that it does not know this controller.
    func verifiedConnection() async throws(ControllerError) -> AccessoryConnection {
        var budget = configuration.connectionTime
        let canFind = finder != nil && pairing.deviceID != nil
        let known = knownPlaces
        var failure: ControllerError?
        if !known.isEmpty {
            var share = canFind ? budget / 2 : budget
            let before = share
            do throws(ControllerError) {
                return try await verifiedConnection(toOneOf: known, within: &share)
            } catch {
                guard canFind, error.leavesOtherPlaces else { throw error }
                failure = error
            }
            budget -= before - share
        }
        let began = now
        let found = try await places(unless: failure)
        budget -= began.duration(to: now)
        guard !Task.isCancelled else { throw .cancelled }
        let others = found.filter { place in !known.contains { $0.isSamePlace(as: place) } }
        guard !others.isEmpty else { throw failure ?? notAnnounced }
        return try await verifiedConnection(toOneOf: others, within: &budget)
    }

    /// Where it announces itself and where it was last, unless it was silent there.
    private var knownPlaces: [AccessoryPlace] {
        let announced = announcements.latest?.places ?? []
        guard let place, !announced.contains(where: { $0.isSamePlace(as: place) }) else { return announced }
        if !announced.isEmpty, let doubted = announcements.doubted, doubted.isSamePlace(as: place) { return announced }
        return announced + [place]
    }

    /// Searches for it; the failure before counts more than that nobody could be asked.
    private func places(unless failure: ControllerError?) async throws(ControllerError) -> [AccessoryPlace] {
        guard let finder, let deviceID = pairing.deviceID else {
            throw failure
                ?? ControllerError(
                    .notFound,
                    reason: "It is not known where \(alias) is.",
                    remedy: "Pair with it again by its address."
                )
        }
        do throws(ControllerError) {
            return try await finder.places(of: deviceID, within: configuration.connectionTime / 2)
        } catch {
            throw failure ?? error
        }
    }

    private var notAnnounced: ControllerError {
        let deviceID = pairing.deviceID?.text ?? "which has no device ID"
        return ControllerError(
            .notFound,
            reason: "Nobody announces \(alias), \(deviceID), in this network.",
            remedy: "Check that the accessory is switched on and in this network."
        )
    }

    /// Connects to the places side by side, and goes on with the others when who answers first is not the accessory.
    ///
    /// - Parameter patience: How long connecting may take; what is left of it afterwards.
    private func verifiedConnection(
        toOneOf places: [AccessoryPlace],
        within patience: inout Duration
    ) async throws(ControllerError) -> AccessoryConnection {
        var left = places
        var failure: ControllerError?
        while !left.isEmpty {
            let began = now
            let connection: AccessoryConnection
            do throws(ControllerError) {
                connection = try await Connector.connect(
                    to: left,
                    within: max(.milliseconds(100), patience),
                    configuration: configuration,
                    on: eventLoop
                )
            } catch {
                patience -= began.duration(to: now)
                throw error.code == .unreachable ? failure ?? error : error
            }
            patience -= began.duration(to: now)
            do throws(ControllerError) {
                try await PairVerifyExchange.run(
                    on: connection,
                    identity: identity,
                    pairing: pairing,
                    within: min(configuration.pairVerifyTime, max(Self.leastVerifyTime, patience))
                )
                await keep(connection.place)
                return connection
            } catch {
                connection.close()
                guard error.leavesOtherPlaces else { throw error }
                failure = failure ?? error
            }
            left.removeAll { $0.isSamePlace(as: connection.place) }
        }
        throw failure ?? notAnnounced
    }

    private func keep(_ present: AccessoryPlace) async {
        announcements.doubted = nil
        if let place, place.isSamePlace(as: present) { return }
        // Its number is what was announced today.
        place = AccessoryPlace(host: present.host, port: present.port)
        guard !present.isLinkLocal else { return }
        // Only saves a search at the next start; and a pairing that was forgotten meanwhile stays so.
        try? await store?.save(host: present.host, port: present.port, of: pairing)
    }
}

extension ControllerError {
    /// Whether the accessory may be at another place than the one where this happened.
    fileprivate var leavesOtherPlaces: Bool {
        switch code {
        case .closed, .cancelled, .refused(.authentication): false
        default: true
        }
    }
}
