import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

/// The names that users give to parts of a simulation.
struct SimulationNamesTests {
    @Test(arguments: [
        "Target Door State", "targetdoorstate", "Garage Door/Target Door State", "GarageDoor.TargetDoorState",
        "GarageDoorOpener/TargetDoorState", "Kilgo Garage/Garage Door/Target Door State", "1/Target Door State",
        "KilgoGarage/TargetDoorState", "the garage door/Target Door State", "Garage Doors/Target Door State",
    ])
    func aCharacteristicIsFoundByEachOfItsNames(text: String) throws {
        let (place, found) = try ScenarioServers.names().characteristic(SimulationTarget(text))
        #expect(found.type == .targetDoorState)
        #expect(try ScenarioServers.names().characteristic(SimulationTarget("\(place.id)")).place == place)
    }

    @Test
    func anAmbiguousNameIsRefusedWithAllCandidates() throws {
        let names = try ScenarioServers.names(2)
        let error = try #require(throws: SimulationError.self) {
            try names.characteristic(SimulationTarget("Target Door State"))
        }
        #expect(error.code == .ambiguousName)
        #expect(error.remedy.contains("Kilgo Garage 2/Garage Door/Target Door State"))
        let (place, _) = try names.characteristic(SimulationTarget("Kilgo Garage 2/Target Door State"))
        #expect(place.server == 1)
    }

    @Test(arguments: [1, 2])
    func anObjectIsFoundByItsTarget(servers: Int) throws {
        let names = try ScenarioServers.names(servers)
        let objects = (0..<servers).flatMap { names.subtree(of: .server($0)) }
        #expect(Set(objects.map(\.kind)) == Set(NameLevel.allCases))
        for object in objects {
            let target = try #require(names.target(of: object))
            #expect(try names.resolve(target) == object, "\(target)")
        }
        #expect(names.target(of: .server(servers)) == nil)
    }

    @Test
    func aMistypedNameIsRefusedWithASuggestion() throws {
        let error = try #require(throws: SimulationError.self) {
            try ScenarioServers.names().characteristic(SimulationTarget("Targt Door State"))
        }
        #expect(error.code == .unknownName)
        #expect(error.remedy.contains("Target Door State"))
    }

    @Test(arguments: [
        "Garage Door", "GarageDoorOpener", "Kilgo Garage/Garage Door", "Garage Door/Current Door State",
        "the garage door", "Garage Doors",
    ])
    func aServiceIsFoundByItsNamesAndItsCharacteristics(text: String) throws {
        let names = try ScenarioServers.names()
        #expect(try names.service(of: names.service(SimulationTarget(text)))?.key.type == .garageDoorOpener)
    }

    @Test(arguments: [
        "", "/", "//", ".", "1.", "1.99999", "99999999999999999999.1", String(repeating: "a/", count: 600),
    ])
    func anUnknownNameIsRefused(text: String) throws {
        #expect(throws: SimulationError.self) {
            try ScenarioServers.names().characteristic(SimulationTarget(text))
        }
    }

    @Test
    func anUnknownIDIsNotReadAsAccessoryAndType() throws {
        let names = try ScenarioServers.names()
        #expect(try names.characteristic("1/32").characteristic.type == .targetDoorState)
        #expect(throws: SimulationError.self) { try names.characteristic("1.32") }
    }

    @Test
    func serversWithOneNameAreNumberedInTheirOrder() throws {
        let garage = KilgoGarage.accessory(number: 1)
        let ids = try SimulationNames.ids(ofUnstarted: [garage])
        let names = SimulationNames([4, 9].map { ($0, "Garage", [garage], ids) })
        #expect(names.serverNames == ["Garage 1", "Garage 2"])
        #expect(try names.resolve("Garage 2", as: [.server]) == .server(9))
        let door = try names.resolve("Garage 2/Garage Door", as: [.service])
        #expect(door.server == 9)
        #expect(names.text(of: door) == "Garage 2/Garage Door")
    }

    @Test
    func everyCompletionResolvesToItsObject() throws {
        for servers in 1...3 {
            let names = try ScenarioServers.names(servers)
            for kind in NameLevel.allCases {
                let texts = names.texts(of: [kind])
                #expect(texts.count >= servers)
                for text in texts {
                    let object = try names.resolve(SimulationTarget(text), as: [kind])
                    #expect(names.text(of: object) == text)
                }
            }
        }
    }

    // MARK: Equal names

    private static func lamp(_ subtype: String, _ name: String) -> Service {
        Service(
            .lightbulb,
            subtype: subtype,
            characteristics: [
                Characteristic(cataloged: .name, value: .string(name)), Characteristic(cataloged: .on, value: false),
            ],
            behavior: DimmableLight()
        )
    }

    @Test
    func duplicateNamesGetANumber() throws {
        let services = [Self.lamp("", "Lamp"), Self.lamp("left", "Lamp"), Self.lamp("right", "Lamp 2")]
        let names = try ScenarioServers.names("Hall", services, services)
        #expect(names.texts(of: [.server]) == ["Hall 1", "Hall 2"])
        let lamps = names.texts(of: [.service]).filter { $0.contains("Lamp") }
        #expect(lamps == ["Hall 1", "Hall 2"].flatMap { ["\($0)/Lamp 1", "\($0)/Lamp 3", "\($0)/Lamp 2"] })
        #expect(try names.service(of: names.service("Hall 2/left"))?.key.subtype == "left")
        #expect(try names.service("Hall 2/Lamp 3").server == 1)
        #expect(try names.service(of: names.service("Hall 2/Lamp 2"))?.key.subtype == "right")
    }

    @Test
    func suggestionsAreUnambiguous() throws {
        let services = [Self.lamp("", "Lamp"), Self.lamp("left", "Lamp")]
        let names = try ScenarioServers.names("Hall", services, services)
        for kinds: Set<NameLevel> in [[.service], [.characteristic]] {
            let error = try #require(throws: SimulationError.self) {
                try names.resolve(kinds == [.service] ? "Lamp" : "On", as: kinds)
            }
            #expect(error.code == .ambiguousName)
            let offered = error.remedy.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            #expect(Set(offered).count == 4)
            for text in offered {
                _ = try names.resolve(SimulationTarget(String(text)), as: kinds)
            }
        }
    }

    @Test
    func aNameSharedByABridgeAndItsFirstAccessoryMeansTheServer() throws {
        func accessory(_ name: String, _ aid: AccessoryID?) -> Accessory {
            let information = Service.accessoryInformation(
                name: name,
                manufacturer: "Kilgo Devices, Inc.",
                model: "KD-1",
                serialNumber: "KD1-0001",
                firmware: "1.0.0"
            )
            return Accessory(key: name, services: [information, Self.lamp("", "Lamp")], aid: aid)
        }
        let accessories = [accessory("Bridge", .primary), accessory("Hall", nil)]
        let names = try SimulationNames(unstarted: [("Bridge", accessories, false)])
        #expect(try names.resolve("Bridge") == .server(0))
        #expect(try names.resolve("Bridge", as: [.accessory]) == .accessory(server: 0, .primary))
        #expect(try names.object(of: FaultRequest("latency", on: "Bridge")) == .server(0))
        #expect(try names.object(of: FaultRequest("reboot", on: "Bridge")) == .server(0))
    }

    @Test
    func anUnsupportedActionIsRefusedWithSupportedOnes() throws {
        let names = try ScenarioServers.names()
        let error = try #require(throws: SimulationError.self) {
            try names.resolve(.command(.obstruct, on: "Garage Light"))
        }
        #expect(error.remedy == "Write one of these services: \"Garage Door\".")
        #expect(throws: SimulationError.self) { try names.resolve(.command(.press(.single), on: "Garage Door")) }
        _ = try names.resolve(.command(.obstruct, on: "Garage Door"))
        _ = try ScenarioServers.doorbell().resolve(.command(.press(.single), on: "Doorbell"))
    }

    @Test(arguments: [
        WrittenAction.set("Target Door State", to: "Ajar"),
        .set(SimulationTarget("Nothing"), to: "1"), .command(.stop, on: SimulationTarget("Accessory Information")),
        .advance(.seconds(-1)), .advance(.seconds(1e12)), .scale(.nan), .scale(0), .clear(fault: nil, on: "Nowhere"),
        .fault(FaultRequest("latncy")), .fault(FaultRequest("reboot", count: 3)),
        .fault(FaultRequest("reboot", duration: .zero)),
        .fault(FaultRequest("vanish", count: 3)),
        .fault(FaultRequest("latency", arguments: ["maximum": .duration(.seconds(1))])),
    ])
    func impossibleActionsAreRefused(action: WrittenAction) throws {
        #expect(throws: SimulationError.self) { try ScenarioServers.names().resolve(action) }
    }
}

extension SimulationTarget: ExpressibleByStringLiteral {
    /// Creates a target from its text.
    public init(stringLiteral text: String) {
        self.init(text)
    }
}
