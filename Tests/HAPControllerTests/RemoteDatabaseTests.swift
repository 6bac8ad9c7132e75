import AccessoryModel
import HAPCore
import TestSupport
import Testing

@testable import HAPController

/// Tests how a controller reads responses to `GET /accessories` of well-behaved and of faulty devices.
@Suite("The database of a remote accessory") struct RemoteDatabaseTests {
    @Test("The database of a real device is read in full", arguments: Dumps.real.keys.sorted())
    func realDeviceIsReadInFull(name: String) throws {
        let dump = try #require(Dumps.real[name])
        let accessories = try RemoteDatabase.read(dump)
        let list = try #require(try JSONValue(parsing: dump, limits: RemoteDatabase.limits).array)
        #expect(!list.isEmpty)
        #expect(accessories.map { $0.aid.rawValue } == list.map { $0.object?["aid"]?.unsigned })
        for (accessory, element) in zip(accessories, list) {
            let services = element.object?["services"]?.array ?? []
            #expect(accessory.services.map { $0.iid.rawValue } == services.map { $0.object?["iid"]?.unsigned })
            for (service, element) in zip(accessory.services, services) {
                let characteristics = element.object?["characteristics"]?.array ?? []
                #expect(
                    service.characteristics.map { $0.iid.rawValue }
                        == characteristics.map { $0.object?["iid"]?.unsigned }
                )
                for (characteristic, element) in zip(service.characteristics, characteristics) {
                    let value = element.object?["value"]
                    #expect((characteristic.value == nil) == (value == nil || value == .null))
                }
            }
            #expect(accessory.name?.isEmpty == false)
            #expect(accessory.manufacturer?.isEmpty == false)
        }
    }

    @Test("Of a device with many oddities, everything that can be addressed is read")
    func oddDeviceIsReadAsFarAsAddressable() throws {
        let accessories = try RemoteDatabase.read(Dumps.odd)
        #expect(accessories.map { $0.aid.rawValue } == [6_623_462_389_072_572, 2, 9_007_199_254_740_991])
        let sensor = try #require(accessories.first)
        #expect(sensor.services.map { $0.iid.rawValue } == [9, 5, 7])
        #expect(sensor.services[0].linked.map(\.rawValue) == [5])
        // This type is in lower case and in the long form.
        #expect(sensor.services[1].type == ServiceType(apple: 0xCC))
        #expect(sensor.services[1].characteristics.first?.value == 300)
        #expect(sensor.services[0].characteristics.first?.value == nil)
        let lamp = accessories[1]
        #expect(lamp.name == "Attic")
        #expect(lamp.services.map(\.isPrimary) == [true, true, false])
        #expect(lamp.services.map(\.isHidden) == [false, false, true])
        let values = lamp.services.flatMap(\.characteristics).map(\.value)
        #expect(
            values == [
                "Attic", true, 2, 101.5, "full", 140, "AAE", .data([1, 2, 3]), 21.600000381, nil,
            ]
        )
        let dimmer = lamp.services[1].characteristics[1]
        #expect(dimmer.permissions == [.read, .write, .events])
        #expect(dimmer.metadata.format == .int && dimmer.metadata.unit == nil)
        #expect(lamp.services[2].characteristics[2].metadata.format == .float)
        #expect(lamp.services[2].characteristics[3].permissions == [])
    }

    @Test("Missing metadata comes from the catalog or the value, and objects without an id are dropped")
    func missingMetadataComesFromTheCatalogOrTheValue() throws {
        let accessories = try RemoteDatabase.read(Dumps.incomplete)
        // An accessory without an aid cannot be addressed, and a number is not an accessory.
        #expect(accessories.map { $0.aid.rawValue } == [1])
        let characteristics = try #require(accessories.first).services.flatMap(\.characteristics)
        #expect(accessories[0].services.map { $0.iid.rawValue } == [1, 7, 20])
        #expect(characteristics.map { $0.iid.rawValue } == [2, 9, 10])
        #expect(characteristics.map(\.metadata.format) == [.string, .int, .float])
        #expect(characteristics.map(\.permissions) == [[.read], [.read], [.read]])
        #expect(characteristics.map(\.value) == ["Lamp", 3, -1.5])
    }

    @Test(
        "A database with errors only in its form is read in full",
        arguments: [
            (Dumps.sharedIDs, [1: [], 2: [2, 3], 29: [29, 30, 34]] as [UInt64: [UInt64]]),
            (Dumps.unhyphenatedTypes, [1: [5, 9], 48: [51, 60], 70: []]),
            (Dumps.wrongJSONTypes, [1: [2], 8: [9, .max]]),
        ]
    )
    func formErrorsAloneLoseNothing(dump: [UInt8], numbers: [UInt64: [UInt64]]) throws {
        let services = try #require(try RemoteDatabase.read(dump).first).services
        #expect(services.map(\.iid.rawValue) == numbers.keys.sorted())
        for service in services {
            #expect(service.characteristics.map(\.iid.rawValue) == numbers[service.iid.rawValue])
        }
        let on = try #require(services.lazy.flatMap(\.characteristics).first { $0.type == .on })
        #expect(on.permissions == [.read, .write, .events] && on.value == true)
    }

    @Test("Of two characteristics with the same iid, the first is used")
    func firstOfDuplicateIDsIsKept() throws {
        let body = """
            {"accessories": [
              {"aid": 1, "services": [
                {"iid": 1, "type": "43", "characteristics": [
                  {"iid": 2, "type": "25", "value": 1}, {"iid": 2, "type": "8", "value": 50}]},
                {"iid": 1, "type": "41", "characteristics": [{"iid": 3, "type": "32"}]},
                {"iid": 4, "type": "40", "characteristics": [
                  {"iid": 2, "type": "25"}, {"iid": 5, "type": "25", "value": 0}]}]},
              {"aid": 1, "services": []}]}
            """
        let accessories = try RemoteDatabase.read(Array(body.utf8))
        #expect(accessories.count == 1)
        #expect(accessories.first?.services.map(\.type) == [.lightbulb, .garageDoorOpener, ServiceType(apple: 0x40)])
        #expect(accessories.first?.services.map { $0.characteristics.map { $0.iid.rawValue } } == [[2], [3], [5]])
        #expect(accessories.first?.services.first?.characteristics.first?.value == true)
    }

    @Test("Ids can have up to 64 bits; ids that are not numbers are dropped")
    func idsMayHave64Bits() throws {
        let body = """
            [{"aid": 18446744073709551615, "services": [
                {"iid": 9007199254740993, "type": "43", "characteristics": [
                  {"iid": 18446744073709551615, "type": "25"}, {"iid": 0, "type": "25"}, {"iid": -1, "type": "25"},
                  {"iid": "7", "type": "25"}, {"iid": 1.5, "type": "25"}, {"type": "25"}]},
                {"iid": null, "type": "43"}]},
             {"aid": 0, "services": []}, {"aid": 1e30}, {"aid": 2}]
            """
        let accessories = try RemoteDatabase.read(Array(body.utf8))
        #expect(accessories.map { $0.aid.rawValue } == [.max, 2])
        #expect(accessories.first?.services.map { $0.iid.rawValue } == [9_007_199_254_740_993])
        #expect(accessories.first?.services.first?.characteristics.map { $0.iid.rawValue } == [.max, 7])
    }

    @Test(
        "A database is refused only if it is not valid JSON or has no list of accessories",
        arguments: [
            "", "{}", "7", "null", "{\"accessories\": {}}", "{\"accessories\": [}", "[] []", "{\"services\": []}",
        ]
    )
    func onlyInvalidJSONOrMissingListIsRefused(body: String) {
        let error = #expect(throws: ProtocolError.self) { try RemoteDatabase.read(Array(body.utf8)) }
        #expect(error?.code == .json)
    }

    @Test("A database that is nested deeper than 32 levels is refused")
    func tooDeeplyNestedDatabaseIsRefused() throws {
        func body(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(try RemoteDatabase.read(body(32)).isEmpty)
        let error = #expect(throws: ProtocolError.self) { try RemoteDatabase.read(body(33)) }
        #expect(error?.code == .tooLarge)
    }

    @Test("A text that would take minutes of CPU time to compare is dropped")
    func textThatIsSlowToCompareIsDropped() throws {
        let text = "a" + String(repeating: "\u{301}\u{327}", count: 1_000)
        let body = """
            [{"aid": 1, "services": [{"iid": 1, "type": "3E", "characteristics": [
              {"iid": 2, "type": "23", "format": "string", "value": "\(text)", "description": "\(text)"}]}]}]
            """
        let characteristic = try RemoteDatabase.read(Array(body.utf8)).first?.services.first?.characteristics.first
        #expect(characteristic != nil)
        #expect(characteristic?.value == nil && characteristic?.description == nil)
    }
}
