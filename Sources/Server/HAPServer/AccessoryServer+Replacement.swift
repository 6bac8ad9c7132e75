public import AccessoryModel
internal import HAPCore

extension AccessoryServer {
    /// Replaces the served accessories while the server runs.
    ///
    /// Remaining objects keep their ids, new ones get new ids, and the configuration number rises if the structure has
    /// changed. Values, subscriptions and sessions are kept; behaviors restart from the current values.
    ///
    /// - Throws: ``ServerError`` if the declaration cannot be served or the store fails; nothing has changed then.
    public func replaceAccessories(with accessories: [Accessory]) async throws(ServerError) {
        try await replaceAccessories(with: accessories, of: nil)
    }

    /// Passes the new accessories to the worker, and waits until the server serves them.
    func replaceAccessories(with accessories: [Accessory], of declaration: Declaration?) async throws(ServerError) {
        do {
            try await withCheckedThrowingContinuation { continuation in
                if !enqueue(.replaceAccessories(accessories, of: declaration, continuation)) {
                    continuation.resume(
                        throwing: ServerError(.other, reason: "The server has stopped.", remedy: "Start it again.")
                    )
                }
            }
        } catch {
            throw ServerError(error)
        }
    }

    /// Performs ``replaceAccessories(with:)``.
    ///
    /// Called by the worker only, because ids are assigned once.
    func performReplacement(with accessories: [Accessory], of declaration: Declaration?) async throws {
        try self.configuration.check(accessories)
        var identifiers = records.identifiers
        var replacement = try AttributeDatabase(
            accessories,
            identifiers: &identifiers,
            isVerbatim: self.configuration.servesVerbatim
        )
        let configuration = records.configuration.updated(for: replacement.digest)
        try await stored(.structure) { () async throws(StoreError) in
            try await ports.store.save(identifiers, configuration)
        }
        replacement.isStrict = database.isStrict
        var changes = replacement.adoptState(from: database)
        database = replacement
        handlerRegistry.calls.rebind(to: database)
        handlerRegistry.driverCalls.rebind(to: database)
        records.identifiers = identifiers
        let hasChanged = configuration != records.configuration
        records.configuration = configuration
        if let declaration {
            handlerRegistry.handlers = HandlerTable(declaration.handlers, keys: declaration.references)
            startPolls(declaration.polledValues)
        }
        resolveHandlers()
        changes.merge(database.startBehaviors(at: behaviorTime))
        publish(changes, by: .device)
        rescheduleBehaviors()
        if hasChanged {
            observer?.observe(.configurationChanged(configuration.number))
            announce()
        }
    }

    func resolveHandlers() {
        handlerRegistry.handlers.resolve { index(of: $0) }
    }
}
