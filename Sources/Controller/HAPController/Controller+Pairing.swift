internal import AccessoryModel
internal import AsyncPrimitives
internal import HAPCore
internal import NIOCore

extension Controller {
    /// Pairs with an accessory and opens a session with it.
    ///
    /// The pairing is stored as soon as the accessory has accepted it. If it cannot be stored, or the accessory is not
    /// the intended one, it is removed from the accessory again.
    ///
    /// Until the last message is sent, canceling the task cancels the pairing. After that the accessory may have
    /// accepted it, and the call returns when the pairing is either stored here or removed from the accessory.
    ///
    /// - Parameters:
    ///   - target: The accessory.
    ///   - setup: The setup code, or the payload that contains it.
    ///   - alias: The alias; `nil` uses a short form of the announced name, or of the device ID if no name is known.
    ///   - onProgress: Receives the progress.
    /// - Throws: ``ControllerError``; ``ControllerError/Code/wrongCode`` counts the tries for this target.
    public func pair(
        _ target: AccessoryTarget,
        with setup: SetupInput,
        as alias: String? = nil,
        onProgress: @escaping @Sendable (PairingProgress) -> Void = { _ in }
    ) async throws(ControllerError) -> PairedAccessory {
        let deadline = Deadline(after: configuration.connectionTime)
        let code = try Self.setupCode(of: setup)
        if let alias, let holder = try await pairings().first(where: { $0.alias == alias }), !target.canMatch(holder) {
            throw .aliasTaken(alias)
        }
        let deviceID = try await deviceID(of: target, setup, until: deadline, onProgress)
        let endpoints = try await endpoints(of: target, deviceID, until: deadline, onProgress)
        onProgress(.connecting(endpoints.map(\.description).joined(separator: ", ")))
        let loop = Self.nextEventLoop()
        let connection = try await Connector.connect(
            to: endpoints,
            by: transport,
            within: deadline.remaining,
            configuration: configuration,
            on: loop
        )
        do throws(ControllerError) {
            let request = PairingRequest(target: target, deviceID: deviceID, alias: alias, code: code)
            let new = try await completePairing(request, on: connection, on: loop, onProgress)
            onProgress(.verifying)
            return try await openFirstSession(new, on: connection, on: loop, onProgress)
        } catch {
            connection.close()
            throw error
        }
    }

    /// Completes the pairing and stores it; canceling the caller has an effect only before the last message is sent.
    private func completePairing(
        _ request: PairingRequest,
        on connection: AccessoryConnection,
        on loop: any EventLoop & NIOSerialEventLoopExecutor,
        _ onProgress: @escaping @Sendable (PairingProgress) -> Void
    ) async throws(ControllerError) -> StoredPairing {
        let decision = OneShot<PairingDecision>()
        // The task is not canceled with the caller; each of its steps has a timeout.
        let task = Task {
            await Result { () async throws(ControllerError) in
                let pairing = try await exchange(request, on: connection, deciding: decision, onProgress)
                let new = try await saveOrRemove(pairing, request, on: connection, on: loop)
                onProgress(.saved(alias: new.alias))
                return new
            }
        }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            if decision.set(.abandoned) == .abandoned {
                task.cancel()
            }
        }
        return try result.get()
    }

    private func exchange(
        _ request: PairingRequest,
        on connection: AccessoryConnection,
        deciding decision: OneShot<PairingDecision>,
        _ onProgress: @Sendable (PairingProgress) -> Void
    ) async throws(ControllerError) -> AccessoryPairing {
        let pairing: AccessoryPairing
        do throws(ControllerError) {
            pairing = try await PairSetupExchange.run(
                on: connection,
                identity: identity,
                code: request.code,
                within: configuration.pairSetupTime,
                deciding: decision,
                onProgress: onProgress
            )
        } catch {
            if error.code == .alreadyPaired, let own = try? await pairings().first(where: request.canMatch) {
                throw .alreadyPaired(as: own.alias, at: connection.endpoint)
            }
            guard error.code == .wrongCode else { throw error }
            // The refusal is reported even if it cannot be counted.
            throw .wrongCode(tries: try? await store.countWrongCode(at: request.name))
        }
        for name in [request.name, pairing.deviceID?.text].compactMap(\.self) {
            try? await store.resetWrongCodes(at: name)
        }
        return pairing
    }

    /// Saves a pairing that the accessory has stored, or removes it from the accessory again.
    private func saveOrRemove(
        _ pairing: AccessoryPairing,
        _ request: PairingRequest,
        on connection: AccessoryConnection,
        on loop: any EventLoop & NIOSerialEventLoopExecutor
    ) async throws(ControllerError) -> StoredPairing {
        do throws(ControllerError) {
            if let deviceID = request.deviceID, pairing.deviceID != deviceID {
                throw .wrongAccessory(at: connection.endpoint, "it has another device ID")
            }
            return try await save(pairing, request, at: connection.endpoint)
        } catch {
            throw await revert(pairing, on: connection, on: loop, because: error)
        }
    }

    private func save(
        _ pairing: AccessoryPairing,
        _ request: PairingRequest,
        at endpoint: AccessoryEndpoint
    ) async throws(ControllerError) -> StoredPairing {
        // Each further iteration means that another process has taken the alias in the meantime.
        for _ in 0..<100 {
            let new = request.storedPairing(pairing, at: endpoint, besides: try await pairings())
            let outcome = try await ControllerError.wrappingStoreErrors { () async throws(StoreError) in
                try await store.save(new)
            }
            switch outcome {
            case .saved: return new
            case .differentKey(let alias): throw .differentKey(than: alias, at: endpoint)
            case .aliasTaken:
                if let alias = request.alias { throw .aliasTaken(alias) }
            }
        }
        throw .aliasTaken(endpoint.name ?? endpoint.description)
    }

    /// Removes a pairing from the accessory again, and adds the outcome to the error.
    ///
    /// If the connection is lost, retries on a new one.
    private func revert(
        _ pairing: AccessoryPairing,
        on connection: AccessoryConnection,
        on loop: any EventLoop & NIOSerialEventLoopExecutor,
        because cause: ControllerError
    ) async -> ControllerError {
        var reported = cause
        let endpoint = connection.endpoint
        // The connection is used only here, so it is not stored.
        let accessory = PairedAccessory(
            StoredPairing(alias: endpoint.description, pairing: pairing, host: endpoint.host, port: endpoint.port),
            identity: identity,
            configuration: configuration,
            store: nil,
            finder: nil,
            transport: transport,
            eventLoop: loop
        )
        do throws(ControllerError) {
            // If this connection has no session, unpairing opens a new connection.
            try? await accessory.useForSession(connection)
            try await accessory.unpair()
            reported.reason += " The pairing was removed from the accessory again."
        } catch {
            let name = pairing.deviceID?.text ?? "the accessory"
            reported.reason +=
                " The pairing could not be removed from \(name) again; reset it before you pair with it."
        }
        await accessory.close()
        return reported
    }

    private func openFirstSession(
        _ new: StoredPairing,
        on connection: AccessoryConnection,
        on loop: any EventLoop & NIOSerialEventLoopExecutor,
        _ onProgress: @Sendable (PairingProgress) -> Void
    ) async throws(ControllerError) -> PairedAccessory {
        do throws(ControllerError) {
            let accessory = try await pairedAccessory(for: new, on: loop)
            try await accessory.useForSession(connection)
            onProgress(.readingDatabase)
            _ = try await accessory.accessories(refreshing: true)
            return accessory
        } catch {
            throw error.afterPairing(as: new.alias)
        }
    }
}

/// The common deadline for all steps of finding and connecting.
struct Deadline {
    private let end: ContinuousClock.Instant

    /// Creates a deadline that is this much time from now.
    init(after time: Duration) {
        end = .now.advanced(by: time)
    }

    /// The remaining time, at least zero, rounded to tenths of a second because messages show it.
    var remaining: Duration {
        let left = ContinuousClock.now.duration(to: end)
        return .milliseconds(max(0, Int(left / .milliseconds(100) + 0.5)) * 100)
    }
}
