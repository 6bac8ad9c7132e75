import AccessoryModel
import HAPCore
import Testing

/// Tests declarations that are refused.
@Suite struct DeclarationTests {
    private func validationError(_ accessories: [Accessory]) -> ModelError? {
        var identifiers = IdentifierMap()
        do throws(ModelError) {
            _ = try AttributeDatabase(accessories, identifiers: &identifiers)
            return nil
        } catch {
            return error
        }
    }

    @Test func aServerHas1To150Accessories() {
        let accessories = (0..<151).map { Sample.accessory([], key: "\($0)") }
        #expect(validationError([])?.code == .missing)
        #expect(validationError(Array(accessories.prefix(1))) == nil)
        #expect(validationError(Array(accessories.prefix(150))) == nil)
        #expect(validationError(accessories)?.code == .tooMany)
    }

    @Test func anAccessoryHasAtMost100Services() {
        let services = (0..<100).map { Sample.light(subtype: "\($0)") }
        #expect(validationError([Sample.accessory(Array(services.prefix(99)))]) == nil)
        #expect(validationError([Sample.accessory(services)])?.code == .tooMany)
    }

    @Test func accessoriesHaveDistinctKeys() {
        let error = validationError([Sample.accessory([]), Sample.accessory([])])
        #expect(error?.code == .duplicate)
        #expect(error?.path == "sample")
        let others =
            [Sample.accessory([], key: "a")] + [5, 6].map { Sample.accessory([], key: "b", aid: AccessoryID($0)) }
        #expect(validationError(others)?.code == .duplicate)
    }

    @Test func servicesOfOneTypeHaveDistinctSubtypes() {
        #expect(validationError([Sample.accessory([Sample.light(), Sample.light()])])?.code == .duplicate)
        #expect(validationError([Sample.accessory([Sample.light(), Sample.light(subtype: "b")])]) == nil)
    }

    @Test func serviceHasEachCharacteristicOnce() {
        var light = Sample.light()
        light.characteristics.append(Characteristic(cataloged: .on))
        let error = validationError([Sample.accessory([light])])
        #expect(error?.code == .duplicate)
        #expect(error?.path == "sample/Light Bulb/On")
        light.characteristics[0].iid = InstanceID(50)
        light.characteristics[3].iid = InstanceID(51)
        #expect(validationError([Sample.accessory([light])])?.code == .duplicate)
    }

    @Test func anAccessoryHasAtMostOnePrimaryService() {
        var first = Sample.light(subtype: "a")
        var second = Sample.light(subtype: "b")
        first.isPrimary = true
        #expect(validationError([Sample.accessory([first, second])]) == nil)
        #expect(validationError([Sample.accessory([first]), Sample.accessory([first], key: "b")]) == nil)
        second.isPrimary = true
        #expect(validationError([Sample.accessory([first, second])])?.code == .invalid)
    }

    @Test func serviceLinksOnlyToServicesOfItsAccessory() throws {
        var first = Sample.light(subtype: "a")
        let second = Sample.light(subtype: "b")
        first.linked = [second.key]
        var identifiers = IdentifierMap()
        let database = try AttributeDatabase([Sample.accessory([first, second])], identifiers: &identifiers)
        #expect(database.services.map(\.linked) == [[], [database.services[2].iid], []])
        #expect(validationError([Sample.accessory([first])])?.code == .missing)
        #expect(validationError([Sample.accessory([second]), Sample.accessory([first], key: "b")])?.code == .missing)
        first.linked = [first.key]
        #expect(validationError([Sample.accessory([first, second])])?.code == .missing)
    }

    @Test(
        arguments: [
            (.brightness, 101), (.on, "on"), (.name, 1),
            (.brightness, .data([1])), (.name, .string(String(repeating: "a", count: 65))),
        ] as [(CharacteristicType, CharacteristicValue)]
    )
    func declaredValueMustBeValid(type: CharacteristicType, value: CharacteristicValue) {
        let service = Service(.lightbulb, characteristics: [Characteristic(cataloged: type, value: value)])
        let error = validationError([Sample.accessory([service])])
        #expect(error?.code == .invalid)
        #expect(error?.path == "sample/Light Bulb/\(type)")
    }

    @Test func aDeclaredValueIsRoundedToItsStep() throws {
        let rate = Characteristic(
            type: Sample.first,
            permissions: [.read],
            metadata: .init(format: .float, minimum: 0, maximum: 10, step: 0.5),
            value: 0.74
        )
        let database = try Sample.database(rate)
        #expect(database.value(at: database.position(of: Sample.first)) == 0.5)
    }

    @Test(arguments: [
        ("model", ""), ("serial", "1"), ("name", String(repeating: "n", count: 65)),
        ("manufacturer", String(repeating: "m", count: 65)), ("model", String(repeating: "m", count: 65)),
        ("serial", String(repeating: "s", count: 65)),
    ])
    func informationTextOfInvalidLengthIsRefused(field: String, text: String) {
        let information = Service.accessoryInformation(
            name: field == "name" ? text : "n",
            manufacturer: field == "manufacturer" ? text : "m",
            model: field == "model" ? text : "m",
            serialNumber: field == "serial" ? text : "s1",
            firmware: "1.0.0"
        )
        #expect(validationError([Accessory(key: "a", services: [information])])?.code == .invalid)
    }
}
