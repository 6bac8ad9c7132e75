internal import AccessoryModel
internal import HAPCore
internal import NIOCore

extension Controller {
    /// Pairs with an accessory and opens a session with it.
    ///
    /// The pairing is kept as soon as the accessory has made it. When it cannot be kept, or is not with the accessory that
    /// was meant, it is removed from the accessory again.
    ///
    /// - Parameters:
    ///   - target: Which accessory.
    ///   - setup: The setup code, or the payload that holds it.
    ///   - alias: The name to keep it under; without one its announced name, else its device ID.
    ///   - onProgress: Is told how far it has come.
    /// - Throws: ``ControllerError``; ``ControllerError/Code/wrongCode`` counts the tries on this target.
    public func pair(
        _ target: AccessoryTarget,
        with setup: SetupInput,
        as alias: String? = nil,
        onProgress: @Sendable (PairingProgress) -> Void = { _ in }
    ) async throws(ControllerError) -> PairedAccessory {
        let code = try Self.setupCode(of: setup)
        let kept = try await pairings()
        if let alias, let holder = kept.first(where: { $0.alias == alias }), !target.mayBe(holder) {
            throw .taken(alias)
        }
        let deviceID = try await deviceID(of: target, setup, onProgress)
        let places = try await places(of: target, deviceID, onProgress)
        onProgress(.connecting(places.map(\.description).joined(separator: ", ")))
        let loop = Self.nextLoop()
        let connection = try await Connector.connect(
            to: places,
            within: configuration.connectionTime,
            configuration: configuration,
            on: loop
        )
        do throws(ControllerError) {
            let pairing = try await exchange(on: connection, target, code: code, onProgress)
            onProgress(.verifying)
            if let deviceID, pairing.deviceID != deviceID {
                let error = ControllerError.wrongAccessory(at: connection.place, "it has another device ID")
                throw await undo(pairing, on: connection, on: loop, because: error)
            }
            if let known = kept.first(where: { $0.pairing.identifier == pairing.identifier }),
                known.pairing.publicKey != pairing.publicKey
            {
                let error = ControllerError.otherKey(than: known.alias, at: connection.place)
                throw await undo(pairing, on: connection, on: loop, because: error)
            }
            let place = connection.place
            let new = KeptPairing(
                alias: Self.alias(alias, for: pairing, at: place, beside: kept),
                pairing: pairing,
                host: place.host,
                port: place.port
            )
            do throws(ControllerError) {
                try await keep(new)
            } catch {
                throw await undo(pairing, on: connection, on: loop, because: error)
            }
            return try await begin(new, on: connection, on: loop, onProgress)
        } catch {
            connection.close()
            throw error
        }
    }

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

    // MARK: Finding

    private static func setupCode(of setup: SetupInput) throws(ControllerError) -> SetupCode {
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

    private func deviceID(
        of target: AccessoryTarget,
        _ setup: SetupInput,
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
            guard let found = try await finder.deviceID(matching: setupID) else {
                throw .notFoundByPayload
            }
            return found
        }
    }

    private func places(
        of target: AccessoryTarget,
        _ deviceID: DeviceID?,
        _ onProgress: (PairingProgress) -> Void
    ) async throws(ControllerError) -> [AccessoryPlace] {
        if case .address(let host, let port) = target {
            guard let finder, host.lowercased().hasSuffix(".local") else {
                return [AccessoryPlace(host: host, port: port)]
            }
            onProgress(.looking)
            let addresses = try await finder.addresses(ofHost: host)
            return (addresses.isEmpty ? [host] : addresses).map { AccessoryPlace(host: $0, port: port) }
        }
        guard let finder, let deviceID else { throw .notFound("Nothing is known of the accessories in this network.") }
        onProgress(.looking)
        let places = try await finder.places(of: deviceID, within: configuration.connectionTime)
        guard !places.isEmpty else { throw .notFound(deviceID) }
        return places
    }

    // MARK: The pairing

    private func exchange(
        on connection: AccessoryConnection,
        _ target: AccessoryTarget,
        code: SetupCode,
        _ onProgress: @Sendable (PairingProgress) -> Void
    ) async throws(ControllerError) -> AccessoryPairing {
        do throws(ControllerError) {
            return try await PairSetupExchange.run(
                on: connection,
                identity: identity,
                code: code,
                within: configuration.pairSetupTime,
                onProgress: onProgress
            )
        } catch {
            guard error.code == .wrongCode else { throw error }
            let tries = wrongCodes[target, default: 0] + 1
            wrongCodes[target] = tries
            var counted = error
            counted.reason = "The setup code is not accepted (\(tries) \(tries == 1 ? "try" : "tries") so far)."
            throw counted
        }
    }

    private func keep(_ new: KeptPairing) async throws(ControllerError) {
        let isKept: Bool
        do throws(StoreError) {
            isKept = try await store.save(new)
        } catch {
            throw ControllerError(error)
        }
        guard isKept else { throw .taken(new.alias) }
    }

    private func begin(
        _ new: KeptPairing,
        on connection: AccessoryConnection,
        on loop: any EventLoop & NIOSerialEventLoopExecutor,
        _ onProgress: (PairingProgress) -> Void
    ) async throws(ControllerError) -> PairedAccessory {
        do throws(ControllerError) {
            let accessory = try await accessory(for: new, on: loop)
            try await accessory.adopt(connection)
            onProgress(.reading)
            _ = try await accessory.accessories(refreshing: true)
            return accessory
        } catch {
            var error = error
            error.reason = "The pairing is made and kept as \(new.alias), but it cannot be used yet. \(error.reason)"
            throw error
        }
    }

    /// Removes a pairing from the accessory again, and adds to the error what has become of that.
    private func undo(
        _ pairing: AccessoryPairing,
        on connection: AccessoryConnection,
        on loop: any EventLoop & NIOSerialEventLoopExecutor,
        because cause: ControllerError
    ) async -> ControllerError {
        var error = cause
        do {
            try await PairVerifyExchange.run(
                on: connection,
                identity: identity,
                pairing: pairing,
                within: configuration.pairVerifyTime
            )
            let message = PairingsController.removeMessage(identity.identifier)
            let answer = try await connection.request(
                HTTPRequest(.post, .pairings, body: message),
                within: configuration.requestTime
            )
            try PairingsController.readAcknowledgement(answer.body)
            error.reason += " The pairing was removed from the accessory again."
        } catch {
            let deviceID = pairing.deviceID?.text ?? "the accessory"
            let note =
                " The pairing could not be removed from \(deviceID) again, which must be reset before it is paired."
            var told = cause
            told.reason += note
            return told
        }
        return error
    }

    /// The name to keep a pairing under: the one asked for, else the one it has, else one that is free.
    private static func alias(
        _ wanted: String?,
        for pairing: AccessoryPairing,
        at place: AccessoryPlace,
        beside kept: [KeptPairing]
    ) -> String {
        if let wanted { return wanted }
        if let known = kept.first(where: { $0.pairing.identifier == pairing.identifier }) { return known.alias }
        let taken = Set(kept.map(\.alias))
        let name = place.name ?? pairing.deviceID?.text ?? place.description
        guard taken.contains(name) else { return name }
        // One of them is free, and there are as many as pairings and one more.
        return (2...taken.count + 2).lazy.map { "\(name) \($0)" }.first { !taken.contains($0) } ?? name
    }
}

extension AccessoryTarget {
    /// Whether it may be the accessory of a pairing that is kept: of an address nobody knows before.
    fileprivate func mayBe(_ kept: KeptPairing) -> Bool {
        switch self {
        case .device(let deviceID): kept.deviceID == deviceID
        case .address(let host, let port): kept.host == host && kept.port == port
        case .matchingPayload: false
        }
    }
}
