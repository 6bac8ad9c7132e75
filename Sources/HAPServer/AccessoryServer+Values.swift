public import AccessoryModel
public import HAPCore
internal import NIOCore

extension AccessoryServer {
    /// How long a changed value may wait before it is kept.
    private static let saveDelay = Duration.milliseconds(500)
    /// How long values that the store has not taken wait for the next try.
    private static let saveRetryDelay = Duration.seconds(1)

    /// The present value of a characteristic, `nil` when there is none.
    public func value(of id: CharacteristicID) -> CharacteristicValue? {
        database.index(of: id).flatMap { database.value(at: $0) }
    }

    /// Everything that the server has now, with ids, metadata and values.
    package var attributes: AttributeDatabase { database }

    /// The id of a characteristic, `nil` when the server does not have it.
    public func id(of reference: CharacteristicKey) -> CharacteristicID? {
        index(of: reference).map { database.characteristics[$0].id }
    }

    /// Sets a value that the device itself reports; subscribers are told when it is another one.
    ///
    /// Returns `false`, and changes nothing, when the server has no such characteristic, when the characteristic cannot
    /// have this value, or when `/accessories` would become larger than 16 MiB.
    @discardableResult
    public func set(_ value: CharacteristicValue?, for id: CharacteristicID) -> Bool {
        guard let index = database.index(of: id) else { return false }
        var changes = ChangeSet()
        guard database.report(value, at: index, into: &changes) else { return false }
        publish(changes, by: .device)
        return true
    }

    /// Writes as a controller with every right does: several characteristics at once, each with a status of its own.
    ///
    /// Handlers are asked, and behaviours take it; every subscriber is told.
    public func write(_ writes: [CharacteristicWrite]) async -> [HAPStatus] {
        // Of a subscriber that never subscribes: connections are counted from 1.
        let context = WriteContext(writer: SubscriberID(0), isAdmin: true, isTimed: true)
        var outcomes = writes.map { write in
            let item = CharacteristicWriteItem(write)
            return WriteOutcome(item, database.decide(item, in: context))
        }
        let (changes, isFinished) = commit(&outcomes)
        noteIdentify(in: outcomes)
        publish(changes, by: .program)
        rescheduleBehaviors()
        guard !isFinished else { return outcomes.map(\.status) }
        return await withCheckedContinuation { continuation in
            put(HandlerOperation(.programWrite(outcomes, continuation)), outcomes)
        }
    }

    /// Asks something of a simulated device, such as to stop where it is.
    ///
    /// Returns `false` when there is no such service, or its behaviour does not know the command.
    @discardableResult
    public func perform(_ command: BehaviorCommand, on key: ServiceKey, of aid: AccessoryID = .primary) -> Bool {
        guard let service = database.service(key, of: aid) else { return false }
        guard let changes = database.perform(command, on: service, at: behaviorTime) else { return false }
        publish(changes, by: .device)
        rescheduleBehaviors()
        return true
    }

    /// What a simulated device is doing beyond its characteristics.
    public func readings(of key: ServiceKey, in aid: AccessoryID = .primary) -> [BehaviorReading] {
        guard let service = database.service(key, of: aid) else { return [] }
        return database.services[service].behavior?.readings(at: behaviorTime) ?? []
    }

    /// Replaces what the server serves while it serves it: ids of what stays are kept, new ones are assigned, and the
    /// configuration number rises when the structure is another one.
    ///
    /// Values, subscriptions and sessions of what stays go on; behaviours begin anew from their values.
    ///
    /// - Throws: ``ServerError`` when the declaration cannot be served or the store fails; everything stays as it was.
    public func replaceAccessories(with accessories: [Accessory]) async throws(ServerError) {
        try await replaceAccessories(with: accessories, of: nil)
    }

    /// Hands other accessories to the worker, and waits until they are there.
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

    /// Does what ``replaceAccessories(with:)`` says.
    ///
    /// Called by the worker alone: ids are given once.
    func replace(with accessories: [Accessory], of declaration: Declaration?) async throws {
        try self.configuration.check(accessories)
        var identifiers = records.identifiers
        var replacement = try AttributeDatabase(
            accessories,
            identifiers: &identifiers,
            isVerbatim: self.configuration.servesVerbatim
        )
        let configuration = records.configuration.updated(for: replacement.digest)
        try await store(.structure) { [identifiers] store throws(StoreError) in
            try await store.save(identifiers, configuration)
        }
        replacement.isStrict = database.isStrict
        var changes = replacement.takeOver(from: database)
        database = replacement
        program.calls.move(to: database)
        records.identifiers = identifiers
        let hasChanged = configuration != records.configuration
        records.configuration = configuration
        if let declaration {
            program.handlers = HandlerTable(declaration.handlers, keys: declaration.references)
            startPolls(declaration.polledValues)
        }
        resolveHandlers()
        changes.add(database.startBehaviors(at: behaviorTime))
        publish(changes, by: .device)
        rescheduleBehaviors()
        if hasChanged {
            observer?.observe(.configurationChanged(configuration.number))
            announce()
        }
    }

    /// Waits for the next moment at which something moves by itself.
    func rescheduleBehaviors() {
        guard lifecycle.isServing, let due = nextBehaviorDeadline else { return }
        guard let deadline = behaviors.deadlineToSet(for: due) else { return }
        let timer = schedule(after: max(.zero, now.duration(to: deadline))) { server in
            server.behaviors.take()
            server.advanceBehaviors()
            server.rescheduleBehaviors()
        }
        behaviors.set(timer, for: deadline)?.cancel()
    }

    /// Keeps what has changed, half a second after the first change.
    func scheduleSave(after delay: Duration = saveDelay) {
        guard lifecycle.isServing, unsavedValues.schedule() else { return }
        schedule(after: delay) { server in
            server.unsavedValues.fired()
            server.enqueue(.saveValues)
        }
    }

    /// Hands the changed values to the store; what it does not take is tried again until it does.
    func saveValues() async {
        let saved = unsavedValues.take()
        guard !saved.isEmpty else { return }
        var values: [CharacteristicID: CharacteristicValue] = [:]
        for id in saved {
            values[id] = value(of: id)
        }
        do throws(StoreError) {
            try await store(.values) { [values] store throws(StoreError) in try await store.save(values) }
        } catch {
            unsavedValues.putBack(saved)
            observer?.observe(.storeFailed(error))
            scheduleSave(after: Self.saveRetryDelay)
        }
    }

    func index(of reference: CharacteristicKey) -> Int? {
        guard let aid = records.identifiers.accessories[reference.accessory] else { return nil }
        guard let service = database.service(reference.service, of: aid) else { return nil }
        return database.characteristic(reference.type, of: service)
    }

    func resolveHandlers() {
        program.handlers.resolve { index(of: $0) }
    }
}
