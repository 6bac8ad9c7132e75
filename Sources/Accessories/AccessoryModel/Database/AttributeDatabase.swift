package import HAPCore

/// The accessories of a server with their ids, values, subscriptions and behaviors.
///
/// A value without I/O: it takes requests and returns statuses and changes. Internally, a characteristic is addressed
/// by its index, which never changes during the life of the database.
///
/// HAP: §11
package struct AttributeDatabase: Sendable {
    package private(set) var accessories: [AccessoryID] = []
    package internal(set) var services: [RegisteredService] = []
    package private(set) var characteristics: [RegisteredCharacteristic] = []
    /// The configuration digest: 64 bytes over the structure and the firmware revisions.
    package private(set) var digest: [UInt8] = []
    package var subscriptions = SubscriptionTable(count: 0)
    /// Whether a number that is not on a step is refused instead of rounded.
    package var isStrict = false
    /// Whether everything is served as declared, even if it violates HAP.
    package let isVerbatim: Bool

    var values: [CharacteristicValue?] = []
    /// The maximum number of bytes of each value in JSON.
    var valueSizes: [Int] = []
    /// The current maximum number of bytes of the body of `GET /accessories`, at most ``maximumBodyBytes``.
    package internal(set) var bodySize = 0
    /// The `/accessories` body for controllers that may read everything.
    var fullBody = RenderedBody()
    /// The `/accessories` body without the values that are reserved for admins; empty if there are no such values.
    var restrictedBody = RenderedBody()
    /// The indices of the services of each accessory.
    var servicesOfAccessory: [Range<Int>] = []
    /// The indices of the services with a behavior.
    private(set) var servicesWithBehavior: [Int] = []
    /// The deadlines of the services' behaviors.
    var schedule = BehaviorSchedule(count: 0) {
        didSet { nextDeadline = schedule.earliest?.deadline }
    }
    /// The next time at which to call ``advanceBehaviors(to:)``, or `nil` if there is none.
    ///
    /// It is a stored property because a caller in another module would copy the whole database to call a getter.
    package private(set) var nextDeadline: MonotonicInstant?
    /// Whether a behavior observes other services.
    var hasObservers = false
    /// Whether a simulated device has peers of its own.
    package private(set) var hasConnectedBehaviors = false
    /// What simulated devices do to others.
    var deviceEffects: [(accessory: AccessoryID, effect: DeviceEffect)] = []
    /// Whether a driver answers for one of the services.
    package private(set) var hasDrivenServices = false
    /// Whether some values may only be read by admins, so that other controllers get a different body.
    private(set) var hasAdminOnlyValues = false

    private(set) var indices = CharacteristicIndices()

    /// Registers accessories with their ids in `identifiers` and adds new ids there.
    ///
    /// The first accessory is the primary one, or the bridge.
    ///
    /// With `isVerbatim`, the accessories are a copy of a real device and are served unchanged:
    ///
    /// - Objects have the declared ids, even if other objects had them before.
    /// - The accessory with aid 1 may be at any position, or missing.
    /// - A service may have two characteristics of the same type, and its id may be that of another object.
    /// - Values may be invalid. Values that are written, reported or restored later are still checked against formats
    ///   and ranges.
    ///
    /// - Throws: ``ModelError`` if two objects have the same key or id, if a link has no target, or if the JSON is too
    ///   large: that of a value may have ``ResponseBudget/maximumValueBytes``, and that of everything
    ///   ``maximumBodyBytes``. Unless `isVerbatim` is `true`, the initializer also throws if the first accessory is
    ///   declared with an aid other than 1, if a limit is exceeded, or if a value is invalid.
    package init(
        _ declared: [Accessory],
        identifiers: inout IdentifierMap,
        isVerbatim: Bool = false
    ) throws(ModelError) {
        self.isVerbatim = isVerbatim
        guard !declared.isEmpty else {
            throw ModelError(.missing, at: "server", "there is no accessory to serve; declare at least one")
        }
        guard declared.count <= Self.maximumAccessories else {
            throw ModelError(
                .tooMany,
                at: "server",
                "\(declared.count) accessories are more than the \(Self.maximumAccessories) that HAP allows"
            )
        }
        if isVerbatim {
            try identifiers.reassignDeclaredIDs(of: declared)
        }
        // An object without an id must not get an id that another object declares later.
        let reserved = Set(declared.compactMap(\.aid?.rawValue))
        var keys: Set<String> = []
        for (position, accessory) in declared.enumerated() {
            guard keys.insert(accessory.key).inserted else {
                throw ModelError(.duplicate, at: accessory.key, "two accessories have this key; change one of them")
            }
            guard isVerbatim || position > 0 || accessory.aid ?? .primary == .primary else {
                throw ModelError(
                    .invalid,
                    at: accessory.key,
                    "the first accessory of a server must have the id 1; declare 1 or no id"
                )
            }
            let isFirst = position == 0 && !declared.contains { $0.aid == .primary }
            try register(accessory, isFirst: isFirst, excluding: reserved, identifiers: &identifiers)
        }
        indices = CharacteristicIndices(characteristics.lazy.map(\.id))
        subscriptions = SubscriptionTable(count: characteristics.count)
        schedule = BehaviorSchedule(count: services.count)
        for service in servicesWithBehavior {
            schedule.setDeadline(services[service].behavior?.nextDeadline, of: service)
        }
        nextDeadline = schedule.earliest?.deadline
        let structure = structureDigest()
        digest = structure.digest
        try checkSize(ofStructure: structure.size)
    }

    /// The maximum number of accessories of a server: a bridge and 149 others.
    ///
    /// HAP: §17
    package static let maximumAccessories = 150
    /// The maximum number of services of an accessory.
    ///
    /// HAP: §11.1
    package static let maximumServices = 100

    /// The accessory that represents the server: the one with aid 1, or the first one if no accessory has aid 1.
    package var primary: AccessoryID {
        accessories.contains(.primary) ? .primary : accessories[0]
    }

    /// Returns the index of a characteristic, or `nil` if there is none with this id.
    package func index(of id: CharacteristicID) -> Int? {
        indices[id]
    }

    /// Returns the current value of the characteristic at `index`.
    package func value(at index: Int) -> CharacteristicValue? {
        values[index]
    }

    /// Returns the index of an accessory's first characteristic of a type, or `nil` if there is none.
    package func index(of type: CharacteristicType, in aid: AccessoryID) -> Int? {
        characteristics.firstIndex { $0.id.aid == aid && $0.type == type }
    }

    /// Returns the index of a characteristic that a controller may read, or the status of the refusal.
    ///
    /// The characteristic may have no value; a button never has one.
    ///
    /// HAP: §12
    package func readableIndex(of address: CharacteristicAddress, isAdmin: Bool) -> Result<Int, HAPStatusError> {
        guard let id = address.id, let index = indices[id] else { return .failure(.init(.doesNotExist)) }
        guard characteristics[index].permissions.contains(.read) else { return .failure(.init(.writeOnly)) }
        if !isAdmin, characteristics[index].adminOnly.contains(.read) {
            return .failure(.init(.insufficientPrivileges))
        }
        if hasDrivenServices, !hasCurrentValue(at: index) { return .failure(.init(.unableToPerform)) }
        return .success(index)
    }

    /// Restores those saved values that are still valid and whose characteristics are still persistent.
    package mutating func restore(_ stored: [CharacteristicID: CharacteristicValue]) {
        for (id, value) in stored {
            guard let index = indices[id], characteristics[index].isPersistent else { continue }
            guard let valid = characteristics[index].metadata.value(from: value, isStrict: false),
                hasRoom(for: valid, at: index)
            else { continue }
            store(valid, at: index)
        }
    }

    /// Sets a value that the device itself reports and records the change.
    ///
    /// Returns `false` and changes nothing if the value is invalid or does not fit into the database.
    package mutating func setValue(
        _ value: CharacteristicValue?,
        at index: Int,
        into changes: inout ChangeSet
    ) -> Bool {
        var valid: CharacteristicValue?
        if let value {
            valid = characteristics[index].metadata.value(from: value, isStrict: false)
            guard valid != nil, hasRoom(for: valid, at: index) else { return false }
        }
        record(valid, written: nil, at: index, into: &changes)
        return true
    }

    /// Stores a value and discards the cached JSON with the old value.
    mutating func store(_ value: CharacteristicValue?, at index: Int) {
        guard values[index] != value else { return }
        values[index] = value
        let size = value.maximumJSONSize
        if size != valueSizes[index] {
            bodySize += size - valueSizes[index]
            valueSizes[index] = size
        }
        let service = characteristics[index].service
        fullBody.invalidate(service)
        if hasAdminOnlyValues {
            restrictedBody.invalidate(service)
        }
    }

    /// Records a change and stores the value, unless it is the press of a button.
    mutating func record(
        _ value: CharacteristicValue?,
        written: CharacteristicValue?,
        at index: Int,
        into changes: inout ChangeSet
    ) {
        let characteristic = characteristics[index]
        changes.merge(
            ValueChange(
                index: index,
                id: characteristic.id,
                previous: values[index],
                value: value,
                writtenValue: written,
                isButton: characteristic.isButton
            )
        )
        if !characteristic.isButton, characteristic.permissions.contains(.read) {
            store(value, at: index)
        }
    }
}

extension AttributeDatabase {
    private mutating func register(
        _ accessory: Accessory,
        isFirst: Bool,
        excluding reserved: Set<UInt64>,
        identifiers: inout IdentifierMap
    ) throws(ModelError) {
        let greatestID = isVerbatim ? .max : IdentifierMap.maximumID
        let aid = try identifiers.assignAccessoryID(
            accessory.aid ?? (isFirst ? .primary : nil),
            to: accessory.key,
            excluding: reserved,
            upTo: greatestID
        )
        guard !accessories.contains(aid) else {
            throw ModelError(.duplicate, at: accessory.key, "another accessory has the same id; choose an unused one")
        }
        guard isVerbatim || accessory.services.count <= Self.maximumServices else {
            throw ModelError(
                .tooMany,
                at: accessory.key,
                "\(accessory.services.count) services are more than the \(Self.maximumServices) that HAP allows"
            )
        }
        let firstService = services.count
        var instanceIDs: Set<InstanceID> = []
        var serviceIDs: [ServiceKey: InstanceID] = [:]
        // A real device may have given this service's standard id to another object.
        let isTaken = isVerbatim && accessory.declares(.accessoryInformation)
        let information: InstanceID? = isTaken ? nil : .accessoryInformation
        let declaredIDs = accessory.services.flatMap { [$0.iid] + $0.characteristics.map(\.iid) }
        let reserved = Set(declaredIDs.compactMap { $0?.rawValue })
        // All ids are assigned first, because a link may refer to a later service.
        for service in accessory.services {
            let iid: InstanceID
            if isVerbatim, let declared = service.iid {
                // Requests address only characteristics, so a device may use the same id for a characteristic, too.
                iid = declared
            } else {
                let declared = service.iid ?? (service.key.type == .accessoryInformation ? information : nil)
                iid = try identifiers.assignInstanceID(declared, to: service.key.path, in: aid, excluding: reserved)
            }
            let isUnique = isVerbatim || instanceIDs.insert(iid).inserted
            guard isUnique, serviceIDs.updateValue(iid, forKey: service.key) == nil else {
                throw ModelError(
                    .duplicate,
                    at: "\(accessory.key)/\(service.key.type)",
                    "two services have the same type and subtype, or the same id; change one of them"
                )
            }
            for (path, characteristic) in zip(service.paths, service.characteristics) {
                guard isVerbatim || !path.isRepeated else {
                    throw ModelError(
                        .duplicate,
                        at: "\(accessory.key)/\(service.key.type)/\(characteristic.type)",
                        "the service has this characteristic twice; remove one"
                    )
                }
                let iid = try identifiers.assignInstanceID(
                    characteristic.iid,
                    to: path.text,
                    in: aid,
                    excluding: reserved,
                    upTo: greatestID
                )
                guard instanceIDs.insert(iid).inserted else {
                    throw ModelError(
                        .duplicate,
                        at: "\(accessory.key)/\(service.key.type)/\(characteristic.type)",
                        "another object of the accessory has the same id; choose an unused one"
                    )
                }
                try append(characteristic, id: CharacteristicID(aid: aid, iid: iid), of: service, in: accessory)
            }
            services.append(
                RegisteredService(
                    aid: aid,
                    iid: iid,
                    key: service.key,
                    verbatimType: isVerbatim ? service.verbatimType : nil,
                    isPrimary: service.isPrimary,
                    isHidden: service.isHidden,
                    linked: [],
                    characteristics: (characteristics.count - service.characteristics.count)..<characteristics.count,
                    behavior: service.behavior,
                    hasBehavior: service.behavior != nil,
                    isDriven: service.isDriven,
                    isReachable: !service.isDriven
                )
            )
            hasDrivenServices = hasDrivenServices || service.isDriven
            if service.behavior != nil {
                servicesWithBehavior.append(services.count - 1)
                hasConnectedBehaviors = hasConnectedBehaviors || service.behavior is any ConnectedBehavior
            }
        }
        try link(accessory, services: firstService..<services.count, ids: serviceIDs)
        registerObservers(in: firstService..<services.count)
        servicesOfAccessory.append(firstService..<services.count)
        accessories.append(aid)
    }

    private mutating func append(
        _ characteristic: Characteristic,
        id: CharacteristicID,
        of service: Service,
        in accessory: Accessory
    ) throws(ModelError) {
        var value: CharacteristicValue?
        if let declared = characteristic.value {
            value = isVerbatim ? declared : characteristic.metadata.value(from: declared, isStrict: false)
            guard value != nil else {
                throw ModelError(
                    .invalid,
                    at: "\(accessory.key)/\(service.key.type)/\(characteristic.type)",
                    "\(declared) is not a value of this characteristic; see its format and range"
                )
            }
        }
        try Self.checkSize(of: value, at: "\(accessory.key)/\(service.key.type)/\(characteristic.type)")
        hasAdminOnlyValues = hasAdminOnlyValues || characteristic.adminOnly.contains(.read)
        characteristics.append(
            RegisteredCharacteristic(characteristic, id: id, service: services.count, isVerbatim: isVerbatim)
        )
        values.append(value)
        valueSizes.append(value.maximumJSONSize)
    }

    private mutating func link(
        _ accessory: Accessory,
        services range: Range<Int>,
        ids: [ServiceKey: InstanceID]
    ) throws(ModelError) {
        guard isVerbatim || accessory.services.count(where: \.isPrimary) <= 1 else {
            throw ModelError(.invalid, at: accessory.key, "two services are primary; HAP allows one")
        }
        for (service, index) in zip(accessory.services, range) where !service.linked.isEmpty {
            var linked: [InstanceID] = []
            for key in service.linked {
                guard isVerbatim || key != service.key, let iid = ids[key] else {
                    throw ModelError(
                        .missing,
                        at: "\(accessory.key)/\(service.key.type)",
                        "it is linked to itself or to a service that the accessory does not have"
                    )
                }
                linked.append(iid)
            }
            services[index].linked = linked
        }
    }
}

extension Accessory {
    /// Returns whether one of the accessory's objects is declared with this id.
    fileprivate func declares(_ iid: InstanceID) -> Bool {
        services.contains { $0.iid == iid || $0.characteristics.contains { $0.iid == iid } }
    }
}
