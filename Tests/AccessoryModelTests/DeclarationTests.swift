import AccessoryModel
import HAPCore
import Testing

/// What cannot be declared.
@Suite struct DeclarationTests {
    private func fault(_ accessories: [Accessory]) -> ModelError? {
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
        #expect(fault([])?.code == .missing)
        #expect(fault(Array(accessories.prefix(1))) == nil)
        #expect(fault(Array(accessories.prefix(150))) == nil)
        #expect(fault(accessories)?.code == .tooMany)
    }

    @Test func anAccessoryHasAtMost100Services() {
        let services = (0..<100).map { Sample.light(subtype: "\($0)") }
        #expect(fault([Sample.accessory(Array(services.prefix(99)))]) == nil)
        #expect(fault([Sample.accessory(services)])?.code == .tooMany)
    }

    @Test func twoAccessoriesHaveTwoKeys() {
        let error = fault([Sample.accessory([]), Sample.accessory([])])
        #expect(error?.code == .duplicate)
        #expect(error?.path == "sample")
        let others =
            [Sample.accessory([], key: "a")] + [5, 6].map { Sample.accessory([], key: "b", aid: AccessoryID($0)) }
        #expect(fault(others)?.code == .duplicate)
    }

    @Test func twoServicesOfOneTypeHaveTwoSubtypes() {
        #expect(fault([Sample.accessory([Sample.light(), Sample.light()])])?.code == .duplicate)
        #expect(fault([Sample.accessory([Sample.light(), Sample.light(subtype: "b")])]) == nil)
    }

    @Test func aServiceHasACharacteristicOnce() {
        var light = Sample.light()
        light.characteristics.append(Characteristic(catalogued: .on))
        let error = fault([Sample.accessory([light])])
        #expect(error?.code == .duplicate)
        #expect(error?.path == "sample/Light Bulb/On")
        light.characteristics[0].iid = InstanceID(50)
        light.characteristics[3].iid = InstanceID(51)
        #expect(fault([Sample.accessory([light])])?.code == .duplicate)
    }

    @Test func anAccessoryHasAtMostOnePrimaryService() {
        var first = Sample.light(subtype: "a")
        var second = Sample.light(subtype: "b")
        first.isPrimary = true
        #expect(fault([Sample.accessory([first, second])]) == nil)
        #expect(fault([Sample.accessory([first]), Sample.accessory([first], key: "b")]) == nil)
        second.isPrimary = true
        #expect(fault([Sample.accessory([first, second])])?.code == .invalid)
    }

    @Test func aServiceIsLinkedToOthersOfItsAccessory() throws {
        var first = Sample.light(subtype: "a")
        let second = Sample.light(subtype: "b")
        first.linked = [second.key]
        var identifiers = IdentifierMap()
        let database = try AttributeDatabase([Sample.accessory([first, second])], identifiers: &identifiers)
        #expect(database.services.map(\.linked) == [[], [database.services[2].iid], []])
        #expect(fault([Sample.accessory([first])])?.code == .missing)
        #expect(fault([Sample.accessory([second]), Sample.accessory([first], key: "b")])?.code == .missing)
        first.linked = [first.key]
        #expect(fault([Sample.accessory([first, second])])?.code == .missing)
    }

    @Test(
        arguments: [
            (.brightness, 101), (.on, "on"), (.name, 1),
            (.brightness, .data([1])), (.name, .string(String(repeating: "a", count: 65))),
        ] as [(CharacteristicType, CharacteristicValue)]
    )
    func aDeclaredValueIsOneOfTheCharacteristics(type: CharacteristicType, value: CharacteristicValue) {
        let service = Service(.lightbulb, characteristics: [Characteristic(catalogued: type, value: value)])
        let error = fault([Sample.accessory([service])])
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
    func theInformationTextsHaveTheirLengths(field: String, text: String) {
        let information = Service.accessoryInformation(
            name: field == "name" ? text : "n",
            manufacturer: field == "manufacturer" ? text : "m",
            model: field == "model" ? text : "m",
            serialNumber: field == "serial" ? text : "s1",
            firmware: "1.0.0"
        )
        #expect(fault([Accessory(key: "a", services: [information])])?.code == .invalid)
    }
}
