import AccessoryModel
import HAPCore
import Testing

/// Tests which irregularities of a real device a database accepts, and which it never accepts.
@Suite struct VerbatimDatabaseTests {
    private static let refused: [[Accessory]] = [
        [Sample.accessory([], key: "a", aid: .primary), Sample.accessory([], key: "b", aid: .primary)],
        [Sample.accessory([lamp(20, 20)])],
        [Sample.accessory([Sample.light(), Sample.light()])],
        [Sample.accessory([Service(.fan, characteristics: [], linked: [ServiceKey(.lightbulb)])])],
        (0...150).map { Sample.accessory([], key: String($0)) },
        [],
    ]

    @Test func accessoriesMayHaveAnyOrderAndAIDOneIsThePrimary() throws {
        var identifiers = IdentifierMap()
        let bridge = Sample.accessory([], key: "bridge", aid: .primary)
        let sensor = Sample.accessory([], key: "sensor", aid: AccessoryID(1 << 53 - 1))
        let database = try AttributeDatabase([sensor, bridge], identifiers: &identifiers, isVerbatim: true)
        #expect(database.accessories.map(\.rawValue) == [1 << 53 - 1, 1])
        #expect(database.primary == .primary)
        let alone = try AttributeDatabase([sensor], identifiers: &identifiers, isVerbatim: true)
        #expect(alone.primary.rawValue == 1 << 53 - 1)
    }

    @Test func aCharacteristicMayOccurTwiceAndHaveAnyValue() throws {
        var first = Sample.characteristic(value: 300)
        first.iid = InstanceID(20)
        var second = Sample.characteristic(value: "odd")
        second.iid = InstanceID(10)
        let lamp = Service(.lightbulb, characteristics: [first, second], isPrimary: true)
        let other = Service(.fan, characteristics: [], isPrimary: true, linked: [ServiceKey(.fan)])
        var identifiers = IdentifierMap()
        var database = try AttributeDatabase(
            [Sample.accessory([lamp, other])],
            identifiers: &identifiers,
            isVerbatim: true
        )
        let iid = try #require(InstanceID(10))
        let index = try #require(database.index(of: CharacteristicID(aid: .primary, iid: iid)))
        #expect(database.value(at: index) == "odd")
        var changes = ChangeSet()
        let isTaken = database.setValue("odder", at: index, into: &changes)
        #expect(!isTaken)
        #expect(database.value(at: index) == "odd")
        let body = String(decoding: database.accessoriesBody(isAdmin: true), as: UTF8.self)
        #expect(body.contains(#""value":300"#))
    }

    @Test func limitsAreRenderedAsDeclared() throws {
        var characteristic = Sample.characteristic(value: 1)
        characteristic.metadata.minimum = 0
        characteristic.metadata.maximum = 255
        characteristic.metadata.maximumLength = 64
        characteristic.verbatimMembers = ["unit": "ppm", "minValue": "0"]
        let accessory = Sample.accessory([Service(.lightbulb, characteristics: [characteristic])])
        var identifiers = IdentifierMap()
        var database = try AttributeDatabase([accessory], identifiers: &identifiers, isVerbatim: true)
        let body = String(decoding: database.accessoriesBody(isAdmin: true), as: UTF8.self)
        #expect(body.contains(#""format":"uint8","minValue":"0","maxValue":255,"maxLen":64,"unit":"ppm"}"#))
    }

    @Test func declaredIDsAreUsedDespiteEarlierOwners() throws {
        var identifiers = IdentifierMap()
        let ids: (Service) -> [UInt64] = { $0.characteristics.map { $0.iid?.rawValue ?? 0 } }
        let before = lamp(20, 21)
        _ = try AttributeDatabase([Sample.accessory([before])], identifiers: &identifiers, isVerbatim: true)
        for service in [lamp(21, 20), lamp(22, 21), lamp(20, 21)] {
            let accessory = Sample.accessory([service])
            let database = try AttributeDatabase([accessory], identifiers: &identifiers, isVerbatim: true)
            #expect(database.characteristics.suffix(2).map(\.id.iid.rawValue) == ids(service))
        }
        // Ids that were assigned before are not assigned to an object without an id.
        let accessory = Sample.accessory([lamp(20, 21), Service(.fan, characteristics: [])])
        let database = try AttributeDatabase([accessory], identifiers: &identifiers, isVerbatim: true)
        #expect(database.services.last?.iid.rawValue ?? 0 > 22)
    }

    @Test func anotherOrderOfAIDsIsAccepted() throws {
        var identifiers = IdentifierMap()
        for order in [(2, 3), (3, 2), (4, 3)] {
            let accessories = [
                Sample.accessory([], key: "a", aid: AccessoryID(UInt64(order.0))),
                Sample.accessory([], key: "b", aid: AccessoryID(UInt64(order.1))),
            ]
            let database = try AttributeDatabase(accessories, identifiers: &identifiers, isVerbatim: true)
            #expect(database.accessories == [AccessoryID(UInt64(order.0)), AccessoryID(UInt64(order.1))])
        }
    }

    /// A service may share its id with a characteristic; the characteristic keeps the id when the service gets another
    /// one.
    @Test func aServiceMayHaveTheIDOfACharacteristic() throws {
        var identifiers = IdentifierMap()
        for (id, next) in [(20, nil), (nil, 22), (20, nil)] as [(UInt64?, UInt64?)] {
            var service = lamp(20, 21)
            service.iid = id.flatMap { InstanceID($0) }
            let accessory = Sample.accessory([service])
            let database = try AttributeDatabase([accessory], identifiers: &identifiers, isVerbatim: true)
            #expect(database.services.last?.iid.rawValue == id ?? next)
            #expect(database.characteristics.suffix(2).map(\.id.iid.rawValue) == [20, 21])
            var others = IdentifierMap()
            let isRefused = (try? AttributeDatabase([accessory], identifiers: &others)) == nil
            #expect(isRefused == (id != nil), "only a verbatim accessory may use an id twice")
        }
    }

    /// An object that is added later gets a small id, which every controller can read.
    @Test(arguments: [1 << 53, .max] as [UInt64])
    func idsMayHaveAll64Bits(id: UInt64) throws {
        var identifiers = IdentifierMap()
        for aid in [nil, AccessoryID(id)] {
            let accessory = Sample.accessory([lamp(id, 20), Service(.fan, characteristics: [])], aid: aid)
            let database = try AttributeDatabase([accessory], identifiers: &identifiers, isVerbatim: true)
            #expect(database.characteristics.suffix(2).map(\.id.iid.rawValue) == [id, 20])
            #expect(database.services.last.map { $0.iid.rawValue < 100 } == true)
            var others = IdentifierMap()
            #expect(throws: ModelError.self) { try AttributeDatabase([accessory], identifiers: &others) }
        }
    }

    @Test(arguments: refused)
    func ambiguousIDsAreRefused(accessories: [Accessory]) {
        var identifiers = IdentifierMap()
        #expect(throws: ModelError.self) {
            try AttributeDatabase(accessories, identifiers: &identifiers, isVerbatim: true)
        }
    }

    @Test func manyCharacteristicsAreFoundByTheirIds() throws {
        let characteristics = (0..<5_000)
            .map { number in
                var characteristic = Sample.characteristic()
                characteristic.iid = InstanceID(UInt64(9_000 - number))
                return characteristic
            }
        var identifiers = IdentifierMap()
        let accessory = Sample.accessory([Service(.lightbulb, characteristics: characteristics)])
        let database = try AttributeDatabase([accessory], identifiers: &identifiers, isVerbatim: true)
        #expect(
            database.characteristics.indices.allSatisfy { database.index(of: database.characteristics[$0].id) == $0 }
        )
    }

    /// A limit that no integer reaches must not be used in a calculation.
    @Test(arguments: [-0x1p127, 0x1p126, 1e300, -1e300])
    func limitsBeyondAllIntegersAreHarmless(limit: Double) throws {
        for metadata in [
            CharacteristicMetadata(format: .uint64, minimum: JSONNumber(limit), step: 3),
            CharacteristicMetadata(format: .uint64, maximum: JSONNumber(limit), step: 3),
            CharacteristicMetadata(format: .uint64, step: JSONNumber(limit)),
        ] {
            for value in [0, 1, JSONNumber(UInt64.max)] {
                let taken = metadata.value(from: CharacteristicValue.number(value), isStrict: false)
                #expect(taken?.number.map { $0 >= 0 } ?? true)
            }
        }
    }

    private static func lamp(_ first: UInt64, _ second: UInt64) -> Service {
        let characteristics = zip([Sample.first, Sample.second], [first, second])
            .map { type, iid in
                var characteristic = Sample.characteristic(type)
                characteristic.iid = InstanceID(iid)
                return characteristic
            }
        return Service(.lightbulb, characteristics: characteristics)
    }

    private func lamp(_ first: UInt64, _ second: UInt64) -> Service {
        Self.lamp(first, second)
    }
}
