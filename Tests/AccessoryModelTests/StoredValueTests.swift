import AccessoryModel
import HAPCore
import Testing

/// Tests which values are preserved across a restart and a change of the accessories.
@Suite struct StoredValueTests {
    private func id(_ type: CharacteristicType, in database: AttributeDatabase) -> CharacteristicID {
        database.characteristics[database.position(of: type)].id
    }

    @Test(
        arguments: [
            (CharacteristicPermissions([.read, .write]), true), ([.read, .events], true),
            ([.read, .write, .events], true),
            ([.read], false), ([.write], false), ([.events], false), ([.write, .events], false),
        ] as [(CharacteristicPermissions, Bool)]
    )
    func readableChangingValuesAreStored(permissions: CharacteristicPermissions, isStored: Bool) throws {
        let declared: CharacteristicValue? = permissions.contains(.read) ? 1 : nil
        var database = try Sample.database(Sample.characteristic(Sample.first, permissions, value: declared))
        database.restore([id(Sample.first, in: database): 5])
        #expect(database.value(at: database.position(of: Sample.first)) == (isStored ? 5 : declared))
    }

    @Test func buttonPressIsNotStored() throws {
        var database = try Sample.database(Characteristic(cataloged: .programmableSwitchEvent))
        database.restore([id(.programmableSwitchEvent, in: database): 1])
        #expect(database.value(at: database.position(of: .programmableSwitchEvent)) == nil)
    }

    @Test(arguments: [CharacteristicValue.integer(101), -1, "50", .data([50]), 0.5])
    func invalidStoredValueIsIgnored(_ stored: CharacteristicValue) throws {
        var database = try Sample.database(Characteristic(cataloged: .brightness, value: 20))
        database.restore([id(.brightness, in: database): stored])
        #expect(database.value(at: database.position(of: .brightness)) == 20)
    }

    @Test func storedValueIsRoundedToTheCurrentStep() throws {
        var database = try Sample.database(
            Characteristic(
                type: Sample.first,
                permissions: [.read, .write],
                metadata: .init(format: .uint8, minimum: 0, maximum: 100, step: 10),
                value: 0
            )
        )
        database.isStrict = true
        database.restore([id(Sample.first, in: database): 47])
        #expect(database.value(at: database.position(of: Sample.first)) == 50)
    }

    @Test func valuesOfMissingCharacteristicsAreIgnored() throws {
        var database = try Sample.database(Sample.light())
        let before = database.accessoriesBody(isAdmin: true)
        let ids = [CharacteristicID(1, 999), CharacteristicID(2, 9), CharacteristicID(1, 1)].compactMap(\.self)
        database.restore(Dictionary(uniqueKeysWithValues: ids.map { ($0, 1) }))
        #expect(database.accessoriesBody(isAdmin: true) == before)
    }

    @Test func replacementKeepsValuesAndSubscriptionsOfRemainingCharacteristics() throws {
        var identifiers = IdentifierMap()
        var old = try AttributeDatabase(
            [Sample.accessory([Sample.light(subtype: "a"), Sample.light(subtype: "b")])],
            identifiers: &identifiers
        )
        var changes = ChangeSet()
        for index in old.characteristics.indices where old.characteristics[index].type == .hue {
            #expect(old.setValue(.integer(index), at: index, into: &changes))
            old.subscriptions.subscribe(SubscriberID(5), to: index)
        }
        let stored = try #require(old.service(ServiceKey(.lightbulb, subtype: "b"), of: .primary))
        let oldHue = try #require(old.characteristic(.hue, of: stored))

        var new = try AttributeDatabase(
            [Sample.accessory([Sample.light(subtype: "c"), Sample.light(subtype: "b")])],
            identifiers: &identifiers
        )
        let taken = new.adoptState(from: old)
        for index in new.characteristics.indices where new.characteristics[index].type == .hue {
            let stays = new.characteristics[index].id == old.characteristics[oldHue].id
            #expect(new.value(at: index) == (stays ? .integer(oldHue) : 0))
            #expect(new.subscriptions.subscribers(of: index) == (stays ? [SubscriberID(5)] : []))
        }
        #expect(taken.isEmpty)
    }

    @Test func replacementDropsWhatItDoesNotAllow() throws {
        var identifiers = IdentifierMap()
        var light = Sample.light()
        var old = try AttributeDatabase([Sample.accessory([light])], identifiers: &identifiers)
        let hue = old.position(of: .hue)
        var changes = ChangeSet()
        #expect(old.setValue(300, at: hue, into: &changes))
        old.subscriptions.subscribe(SubscriberID(5), to: hue)
        light.characteristics[1].metadata.maximum = 180
        light.characteristics[1].permissions = [.read, .write]
        var new = try AttributeDatabase([Sample.accessory([light])], identifiers: &identifiers)
        let taken = new.adoptState(from: old)
        #expect(new.value(at: hue) == 0)
        #expect(new.subscriptions.subscribers(of: hue).isEmpty)
        #expect(taken.changes.map(\.id) == [new.characteristics[hue].id])
        #expect(taken.changes.map(\.previous) == [300])
        #expect(taken.changes.map(\.value) == [0])
    }
}
