import AccessoryModel
import HAPCore
import Testing

/// Tests that an id is never assigned to another object.
///
/// HAP: §11.1
@Suite struct IdentifierTests {
    /// Returns every id of a database by the path of its object: `aid/service/characteristic`.
    private func ids(_ database: AttributeDatabase) -> [String: UInt64] {
        var ids: [String: UInt64] = [:]
        for service in database.services {
            let path = "\(service.aid)/\(service.key.type)\(service.key.subtype)"
            ids[path] = service.iid.rawValue
            for characteristic in database.characteristics[service.characteristics] {
                ids["\(path)/\(characteristic.type)"] = characteristic.id.iid.rawValue
            }
        }
        return ids
    }

    private func register(
        _ services: [Service],
        _ identifiers: inout IdentifierMap
    ) throws(ModelError) -> AttributeDatabase {
        try AttributeDatabase([Sample.accessory(services)], identifiers: &identifiers)
    }

    /// Returns a copy that is made entry by entry, as a store reads the map.
    private func copy(of identifiers: IdentifierMap) -> IdentifierMap {
        var copy = IdentifierMap()
        for (key, aid) in identifiers.accessories {
            copy.record(aid, forAccessory: key)
        }
        for (aid, objects) in identifiers.objects {
            for (path, iid) in objects {
                copy.record(iid, forObject: path, in: aid)
            }
        }
        return copy
    }

    @Test func theInformationServiceIsIid1AndTheOthersFollowWithoutGaps() throws {
        var identifiers = IdentifierMap()
        let database = try register([Sample.light()], &identifiers)
        #expect(database.services.map(\.iid.rawValue) == [1, 8])
        #expect(database.characteristics.map(\.id.iid.rawValue) == [2, 3, 4, 5, 6, 7, 9, 10, 11])
        #expect(database.accessories == [.primary])
    }

    @Test func informationServiceIsIID1InAnyOrder() throws {
        var identifiers = IdentifierMap()
        let accessory = Accessory(key: "a", services: [Sample.light(), Sample.information])
        let database = try AttributeDatabase([accessory], identifiers: &identifiers)
        #expect(database.services.map(\.iid.rawValue) == [2, 1])
        #expect(Set(ids(database).values).count == ids(database).count)
    }

    @Test func reorderingKeepsIDs() throws {
        var identifiers = IdentifierMap()
        let services = [Sample.light(subtype: "a"), Sample.light(subtype: "b"), Sample.light(subtype: "c")]
        let before = ids(try register(services, &identifiers))
        let stored = identifiers
        var reversed = services.reversed().map(\.self)
        for position in reversed.indices {
            reversed[position].characteristics.reverse()
        }
        #expect(ids(try register(reversed, &identifiers)) == before)
        #expect(identifiers == stored)
    }

    @Test func insertedObjectsGetNewIDsAndOthersKeepTheirs() throws {
        var identifiers = IdentifierMap()
        let before = ids(try register([Sample.light(subtype: "a"), Sample.light(subtype: "c")], &identifiers))
        var first = Sample.light(subtype: "a")
        first.characteristics.insert(Characteristic(cataloged: .brightness, value: 1), at: 0)
        let services = [first, Sample.light(subtype: "b"), Sample.light(subtype: "c")]
        let after = ids(try register(services, &identifiers))
        #expect(after.filter { before[$0.key] != nil } == before)
        let new = after.filter { before[$0.key] == nil }
        #expect(new.count == 5)
        #expect(new.values.allSatisfy { $0 > before.values.max() ?? 0 })
    }

    @Test func idIsNeverReusedAndReturnsWithItsObject() throws {
        var identifiers = IdentifierMap()
        let both = [Sample.light(subtype: "a"), Sample.light(subtype: "b")]
        let before = ids(try register(both, &identifiers))
        _ = try register([Sample.light(subtype: "a")], &identifiers)
        let replaced = ids(try register([Sample.light(subtype: "a"), Sample.light(subtype: "c")], &identifiers))
        let new = replaced.filter { before[$0.key] == nil }
        #expect(new.count == 4)
        #expect(Set(new.values).isDisjoint(with: before.values))
        #expect(ids(try register(both, &identifiers)) == before)
    }

    @Test func slashInASubtypeDoesNotCollideWithAnotherObject() throws {
        var identifiers = IdentifierMap()
        let services = [
            Sample.light(subtype: "a"), Sample.light(subtype: "a/25"), Sample.light(subtype: "a//25"),
            Sample.light(subtype: "a/"),
        ]
        let ids = ids(try register(services, &identifiers))
        #expect(ids.count == 23)
        #expect(Set(ids.values).count == 23)
    }

    @Test func theFirstAccessoryIsAid1AndTheOthersFollow() throws {
        var identifiers = IdentifierMap()
        let keys = ["bridge", "b", "c"]
        let database = try AttributeDatabase(keys.map { Sample.accessory([], key: $0) }, identifiers: &identifiers)
        #expect(database.accessories.map(\.rawValue) == [1, 2, 3])
        // Each accessory numbers its own instances.
        #expect(database.services.map(\.iid.rawValue) == [1, 1, 1])
    }

    @Test func aidsStayWhenAccessoriesAreAddedOrRemoved() throws {
        var identifiers = IdentifierMap()
        func aids(_ keys: String...) throws -> [UInt64] {
            try AttributeDatabase(keys.map { Sample.accessory([], key: $0) }, identifiers: &identifiers).accessories
                .map(\.rawValue)
        }
        #expect(try aids("bridge", "b", "c") == [1, 2, 3])
        #expect(try aids("bridge", "c", "b") == [1, 3, 2])
        #expect(try aids("bridge", "c") == [1, 3])
        #expect(try aids("bridge", "d", "c") == [1, 4, 3])
        #expect(try aids("bridge", "b") == [1, 2])
    }

    @Test func anotherPrimaryAccessoryIsRefusedWhileAid1BelongsToTheFirst() throws {
        var identifiers = IdentifierMap()
        let accessories = ["a", "b"].map { Sample.accessory([], key: $0) }
        _ = try AttributeDatabase(accessories, identifiers: &identifiers)
        let error = #expect(throws: ModelError.self) {
            try AttributeDatabase(accessories.reversed(), identifiers: &identifiers)
        }
        #expect(error?.code == .duplicate)
        #expect(error?.path == "b")
    }

    @Test func declaredIDsAreUsedAndContinued() throws {
        var identifiers = IdentifierMap()
        var light = Sample.light()
        light.iid = InstanceID(100)
        light.characteristics[1].iid = InstanceID(40)
        let accessories = [
            Sample.accessory([light], key: "a"), Sample.accessory([], key: "b", aid: AccessoryID(77)),
            Sample.accessory([], key: "c"),
        ]
        let database = try AttributeDatabase(accessories, identifiers: &identifiers)
        #expect(database.accessories.map(\.rawValue) == [1, 77, 78])
        let service = try #require(database.service(light.key, of: .primary))
        #expect(database.services[service].iid.rawValue == 100)
        let characteristics = database.characteristics[database.services[service].characteristics]
        #expect(characteristics.map(\.id.iid.rawValue) == [101, 40, 102])
    }

    @Test func aDeclaredIdOfAnotherObjectIsRefused() throws {
        var identifiers = IdentifierMap()
        _ = try register([Sample.light()], &identifiers)
        for iid in [1, 2, 9] as [UInt64] {
            var other = Sample.light(subtype: "other")
            other.iid = InstanceID(iid)
            let error = #expect(throws: ModelError.self) { try register([other], &identifiers) }
            #expect(error?.code == .duplicate)
        }
        let error = #expect(throws: ModelError.self) {
            try AttributeDatabase(
                [Sample.accessory([]), Sample.accessory([], key: "b", aid: .primary)],
                identifiers: &identifiers
            )
        }
        #expect(error?.code == .duplicate)
    }

    @Test(arguments: [true, false])
    func retiredIDIsNotReassigned(isWrittenDown: Bool) throws {
        var identifiers = IdentifierMap()
        var light = Sample.light(subtype: "a")
        light.iid = InstanceID(40)
        light.characteristics[0].iid = InstanceID(41)
        _ = try register([light], &identifiers)
        light.iid = InstanceID(50)
        light.characteristics[0].iid = InstanceID(51)
        let moved = ids(try register([light], &identifiers))
        #expect(moved["1/Light Bulba"] == 50)
        if isWrittenDown {
            identifiers = copy(of: identifiers)
        }
        for given in [40, 41] as [UInt64] {
            var other = Sample.light(subtype: "b")
            other.iid = InstanceID(given)
            let error = #expect(throws: ModelError.self) { try register([light, other], &identifiers) }
            #expect(error?.code == .duplicate)
            other = Sample.light(subtype: "b")
            other.characteristics[0].iid = InstanceID(given)
            #expect(throws: ModelError.self) { try register([light, other], &identifiers) }
        }
    }

    @Test func objectMayReclaimItsOldID() throws {
        var identifiers = IdentifierMap()
        var light = Sample.light()
        for (declared, other) in [(40, 50), (50, 40), (40, 50)] as [(UInt64, UInt64)] {
            light.iid = InstanceID(declared)
            #expect(ids(try register([light], &identifiers))["1/Light Bulb"] == declared)
            var thief = Sample.light(subtype: "thief")
            thief.iid = InstanceID(other)
            var copy = identifiers
            if identifiers.objects[.primary]?.values.contains(where: { $0.rawValue == other }) == true {
                #expect(throws: ModelError.self) { try register([light, thief], &copy) }
            }
        }
    }

    @Test(arguments: [true, false])
    func retiredAIDIsNotReassigned(isWrittenDown: Bool) throws {
        var identifiers = IdentifierMap()
        func aids(_ accessories: (String, UInt64?)...) throws -> [UInt64] {
            let declared = accessories.map { Sample.accessory([], key: $0.0, aid: $0.1.flatMap({ AccessoryID($0) })) }
            return try AttributeDatabase(declared, identifiers: &identifiers).accessories.map(\.rawValue)
        }
        #expect(try aids(("bridge", nil), ("b", 5)) == [1, 5])
        #expect(try aids(("bridge", nil), ("b", 7)) == [1, 7])
        if isWrittenDown {
            identifiers = copy(of: identifiers)
        }
        let error = #expect(throws: ModelError.self) { try aids(("bridge", nil), ("c", 5)) }
        #expect(error?.code == .duplicate)
        #expect(try aids(("bridge", nil), ("b", 5), ("d", nil)) == [1, 5, 8])
        #expect(throws: ModelError.self) { try aids(("bridge", nil), ("c", 7)) }
    }

    @Test func reservedKeyOfARetiredIDIsRefused() throws {
        var identifiers = IdentifierMap()
        let error = #expect(throws: ModelError.self) {
            try AttributeDatabase([Sample.accessory([], key: "#retired/5/b")], identifiers: &identifiers)
        }
        #expect(error?.code == .invalid)
        #expect(throws: Never.self) {
            try AttributeDatabase([Sample.accessory([], key: "#retired")], identifiers: &identifiers)
        }
    }

    @Test func firstAccessoryMayOnlyDeclareAID1() throws {
        var identifiers = IdentifierMap()
        let error = #expect(throws: ModelError.self) {
            try AttributeDatabase([Sample.accessory([], aid: AccessoryID(2))], identifiers: &identifiers)
        }
        #expect(error?.code == .invalid)
        #expect(error?.path == "sample")
        let database = try AttributeDatabase([Sample.accessory([], aid: .primary)], identifiers: &identifiers)
        #expect(database.accessories == [.primary])
    }

    @Test(arguments: [(1 << 53 - 1, true), (1 << 53, false), (.max, false)] as [(UInt64, Bool)])
    func declaredIDMustFitADouble(id: UInt64, isAccepted: Bool) throws {
        var light = Sample.light()
        for characteristic in light.characteristics.indices {
            light.characteristics[characteristic].iid = InstanceID(UInt64(characteristic) + 20)
        }
        light.iid = InstanceID(id)
        var button = Sample.light()
        button.iid = InstanceID(30)
        button.characteristics = [Characteristic(cataloged: .on, value: false)]
        button.characteristics[0].iid = InstanceID(id)
        let declarations = [
            [Sample.accessory([light])], [Sample.accessory([button])],
            [Sample.accessory([]), Sample.accessory([], key: "b", aid: AccessoryID(id))],
        ]
        for accessories in declarations {
            var identifiers = IdentifierMap()
            if isAccepted {
                #expect(throws: Never.self) { try AttributeDatabase(accessories, identifiers: &identifiers) }
            } else {
                let error = #expect(throws: ModelError.self) {
                    try AttributeDatabase(accessories, identifiers: &identifiers)
                }
                #expect(error?.code == .invalid)
            }
        }
    }

    @Test func noIDFollowsTheMaximum() throws {
        var identifiers = IdentifierMap()
        var light = Sample.light()
        light.iid = InstanceID(IdentifierMap.maximumID)
        let instance = #expect(throws: ModelError.self) { try register([light], &identifiers) }
        #expect(instance?.code == .tooMany)
        var others = IdentifierMap()
        let accessories = [
            Sample.accessory([], key: "a"), Sample.accessory([], key: "b", aid: AccessoryID(IdentifierMap.maximumID)),
            Sample.accessory([], key: "c"),
        ]
        let accessory = #expect(throws: ModelError.self) {
            try AttributeDatabase(accessories, identifiers: &others)
        }
        #expect(accessory?.code == .tooMany)
    }

    @Test func restoredMapEqualsTheOriginal() throws {
        var identifiers = IdentifierMap()
        _ = try register([Sample.light(subtype: "a"), Sample.light(subtype: "b")], &identifiers)
        _ = try register([Sample.light(subtype: "a")], &identifiers)
        var copy = copy(of: identifiers)
        #expect(copy == identifiers)
        let services = [Sample.light(subtype: "c")]
        #expect(ids(try register(services, &copy)) == ids(try register(services, &identifiers)))
    }
}
