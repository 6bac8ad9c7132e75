public import AccessoryModel
public import HAPCore
internal import NIOCore

extension AccessoryServer {
    /// Returns the current value of a characteristic, `nil` if it has none.
    public func value(of id: CharacteristicID) -> CharacteristicValue? {
        database.index(of: id).flatMap { database.value(at: $0) }
    }

    /// The current database: the ids, metadata and values of all accessories.
    package var attributes: AttributeDatabase { database }

    /// Returns the id of a characteristic; `nil` if the server does not have it.
    public func id(of reference: CharacteristicKey) -> CharacteristicID? {
        index(of: reference).map { database.characteristics[$0].id }
    }

    /// Returns the ids of all characteristics.
    ///
    /// The event loop of the server only hands over its database, which may have thousands of services.
    package nonisolated func characteristicIDs() async -> [CharacteristicKey: CharacteristicID] {
        let (aids, database) = await identifiedAttributes
        let keys = Dictionary(aids.map { ($0.value, $0.key) }) { first, _ in first }
        var ids: [CharacteristicKey: CharacteristicID] = [:]
        ids.reserveCapacity(database.characteristics.count)
        for service in database.services {
            guard let accessory = keys[service.aid] else { continue }
            for characteristic in database.characteristics[service.characteristics] {
                let key = CharacteristicKey(accessory: accessory, service: service.key, type: characteristic.type)
                if ids[key] == nil { ids[key] = characteristic.id }
            }
        }
        return ids
    }

    private var identifiedAttributes: (aids: [String: AccessoryID], database: AttributeDatabase) {
        (records.identifiers.accessories, database)
    }

    /// Sets a value that the device itself reports, and notifies subscribers if it is new.
    ///
    /// Returns `false` and changes nothing if the server has no such characteristic, if the value is not valid for it,
    /// if a driver reports it, or if `/accessories` would become larger than 16 MiB.
    @discardableResult
    public func set(_ value: CharacteristicValue?, for id: CharacteristicID) -> Bool {
        guard let index = database.index(of: id), !database.isDriven(index) else { return false }
        var changes = ChangeSet()
        guard database.setValue(value, at: index, into: &changes) else { return false }
        publish(changes, by: .device)
        return true
    }

    /// Writes several characteristics like a controller with all permissions, and returns a status for each.
    ///
    /// Handlers and behaviors are called, and every subscriber is notified.
    public func write(_ writes: [CharacteristicWrite]) async -> [HAPStatus] {
        // Connections are numbered from 1, so subscriber 0 has no subscriptions and no subscriber is left out.
        let context = WriteContext(writer: SubscriberID(0), isAdmin: true, isTimed: true)
        var outcomes = writes.map { write in
            let item = CharacteristicWriteItem(write)
            return WriteOutcome(item, database.validate(item, in: context))
        }
        let (changes, isFinished) = commit(&outcomes)
        reportIdentify(in: outcomes)
        publish(changes, by: .program)
        rescheduleBehaviors()
        guard !isFinished else { return outcomes.map(\.status) }
        return await withCheckedContinuation { continuation in
            callWriteHandlers(HandlerOperation(.program(continuation), writes: outcomes))
        }
    }

    /// Performs a command on a simulated device, for example to stop a door where it is.
    ///
    /// Returns `false` if there is no such service, or its behavior does not support the command.
    @discardableResult
    public func perform(_ command: BehaviorCommand, on key: ServiceKey, of aid: AccessoryID = .primary) -> Bool {
        guard let service = database.service(key, of: aid) else { return false }
        guard let changes = database.perform(command, on: service, at: behaviorTime) else { return false }
        publish(changes, by: .device)
        rescheduleBehaviors()
        return true
    }

    /// Returns the characteristics to set instead of one that follows from the state of a simulated device.
    ///
    /// - Returns: `nil` if the characteristic can be set by itself; empty if only the device determines it.
    package func controls(of id: CharacteristicID) -> [CharacteristicType]? {
        guard let index = database.index(of: id) else { return nil }
        guard !database.isDriven(index) else { return [] }
        let characteristic = database.characteristics[index]
        return database.services[characteristic.service].behavior?.controls(of: characteristic.type)
    }

    /// Returns the part of a simulated device's state that its characteristics do not show.
    public func readings(of key: ServiceKey, in aid: AccessoryID = .primary) -> [DeviceReading] {
        guard let service = database.service(key, of: aid) else { return [] }
        return database.services[service].behavior?.readings(at: behaviorTime) ?? []
    }

    func index(of reference: CharacteristicKey) -> Int? {
        guard let aid = records.identifiers.accessories[reference.accessory] else { return nil }
        guard let service = database.service(reference.service, of: aid) else { return nil }
        return database.characteristic(reference.type, of: service)
    }
}
