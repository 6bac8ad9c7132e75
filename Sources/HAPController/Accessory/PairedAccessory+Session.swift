internal import AccessoryModel
internal import HAPCore
internal import HAPTransport
internal import NIOCore

extension PairedAccessory {
    /// The session: the present one, else one that is opened now.
    ///
    /// Callers that come meanwhile share it.
    func session() async throws(ControllerError) -> AccessoryConnection {
        switch link {
        case .open(let connection):
            return connection
        case .opening(let task):
            return try await task.value.get()
        case .idle:
            let task = Task { await openSession() }
            link = .opening(task)
            return try await task.value.get()
        case .closed:
            throw .closed
        }
    }

    /// Goes on with the connection on which the pairing was made.
    func adopt(_ connection: AccessoryConnection) async throws(ControllerError) {
        do {
            try await PairVerifyExchange.run(
                on: connection,
                identity: identity,
                pairing: pairing,
                within: configuration.pairVerifyTime
            )
        } catch  where error.code == .connectionLost {
            // Some close the connection behind M6.
            _ = try await session()
            return
        } catch {
            connection.close()
            throw error
        }
        guard case .idle = link else {
            connection.close()
            return
        }
        begin(with: connection)
    }

    private func openSession() async -> Result<AccessoryConnection, ControllerError> {
        do throws(ControllerError) {
            let connection = try await verifiedConnection()
            guard case .opening = link else {
                connection.close()
                return .failure(.closed)
            }
            begin(with: connection)
            return .success(connection)
        } catch {
            if case .opening = link {
                link = .idle
            }
            return .failure(error)
        }
    }

    private func begin(with connection: AccessoryConnection) {
        sessionNumber += 1
        subscribed = []
        link = .open(connection)
        reconnect.opened(at: now)
        let number = sessionNumber
        connection.observe { [weak self] body in
            self?.assumeIsolated { $0.received(event: body) }
        } end: { [weak self] reason in
            self?.assumeIsolated { $0.ended(session: number, reason) }
        }
        sessionHasBegun()
    }

    private func ended(session number: UInt64, _ reason: ControllerChannelEnd) {
        guard number == sessionNumber, case .open(let connection) = link else { return }
        link = .idle
        subscribed = []
        sessionIsLost(ControllerError(reason, at: connection.place))
    }

    /// Connects to where it was last; when it is not there, to where it announces itself.
    private func verifiedConnection() async throws(ControllerError) -> AccessoryConnection {
        let deadline = now.advanced(by: configuration.connectionTime)
        let deviceID = pairing.deviceID
        let canFind = finder != nil && deviceID != nil
        var failure: ControllerError?
        if let place {
            do throws(ControllerError) {
                let share = canFind ? configuration.connectionTime / 2 : configuration.connectionTime
                return try await verifiedConnection(to: [place], within: share)
            } catch {
                guard canFind, error.code == .unreachable || error.code == .wrongAccessory else { throw error }
                failure = error
            }
        }
        guard let finder, let deviceID else {
            throw failure
                ?? ControllerError(
                    .notFound,
                    reason: "It is not known where \(alias) is.",
                    remedy: "Pair with it again by its address."
                )
        }
        let places: [AccessoryPlace]
        do throws(ControllerError) {
            places = try await finder.places(of: deviceID, within: now.duration(to: deadline))
        } catch {
            // What happened where it was says more than that nobody could be asked where it is.
            throw failure ?? error
        }
        guard let found = places.first else {
            throw failure
                ?? ControllerError(
                    .notFound,
                    reason: "Nobody announces \(alias), \(deviceID), in this network.",
                    remedy: "Check that the accessory is switched on and in this network."
                )
        }
        configurationNumber = places.compactMap(\.configurationNumber).first ?? configurationNumber
        if let failure, places.count == 1, let place, found.isSamePlace(as: place) {
            throw failure
        }
        return try await verifiedConnection(to: places, within: max(.milliseconds(100), now.duration(to: deadline)))
    }

    private func verifiedConnection(
        to places: [AccessoryPlace],
        within patience: Duration
    ) async throws(ControllerError) -> AccessoryConnection {
        let connection = try await Connector.connect(
            to: places,
            within: patience,
            configuration: configuration,
            on: eventLoop
        )
        do throws(ControllerError) {
            try await PairVerifyExchange.run(
                on: connection,
                identity: identity,
                pairing: pairing,
                within: configuration.pairVerifyTime
            )
        } catch {
            connection.close()
            throw error
        }
        await keep(connection.place)
        return connection
    }

    private func keep(_ present: AccessoryPlace) async {
        if let place, place.isSamePlace(as: present) { return }
        place = present
        guard !present.isLinkLocal else { return }
        // Only saves a search at the next start; and a pairing that was forgotten meanwhile stays so.
        try? await store.save(host: present.host, port: present.port, of: pairing)
    }
}
