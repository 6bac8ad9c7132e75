import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

/// What people call parts of a simulation.
struct SimulationNamesTests {
    @Test(arguments: [
        "Target Door State", "targetdoorstate", "Garage Door/Target Door State", "GarageDoor.TargetDoorState",
        "GarageDoorOpener/TargetDoorState", "Kilgo Garage/Garage Door/Target Door State", "1/Target Door State",
        "KilgoGarage/TargetDoorState",
    ])
    func aCharacteristicGoesByEachOfItsNames(text: String) throws {
        let (place, found) = try ScenarioStage.names().characteristic(SimulationTarget(text))
        #expect(found.type == .targetDoorState)
        #expect(try ScenarioStage.names().characteristic(SimulationTarget("\(place.id)")).place == place)
    }

    @Test
    func aNameThatCanBeSeveralThingsIsRefusedWithAllOfThem() throws {
        let names = try ScenarioStage.names(2)
        let error = try #require(throws: SimulationError.self) {
            try names.characteristic(SimulationTarget("Target Door State"))
        }
        #expect(error.code == .ambiguousName)
        #expect(error.remedy.contains("Kilgo Garage 2/Garage Door/Target Door State"))
        let (place, _) = try names.characteristic(SimulationTarget("Kilgo Garage 2/Target Door State"))
        #expect(place.server == 1)
    }

    @Test
    func aMistypedNameIsRefusedWithTheNearest() throws {
        let error = try #require(throws: SimulationError.self) {
            try ScenarioStage.names().characteristic(SimulationTarget("Targt Door State"))
        }
        #expect(error.code == .unknownName)
        #expect(error.remedy.contains("Target Door State"))
    }

    @Test(arguments: ["Garage Door", "GarageDoorOpener", "Kilgo Garage/Garage Door", "Garage Door/Current Door State"])
    func aServiceGoesByItsNamesAndByWhatIsInIt(text: String) throws {
        #expect(try ScenarioStage.names().service(SimulationTarget(text)).key.type == .garageDoorOpener)
    }

    @Test(arguments: [
        "", "/", "//", ".", "1.", "1.99999", "99999999999999999999.1", String(repeating: "a/", count: 600),
    ])
    func aTextThatNamesNothingIsRefused(text: String) throws {
        #expect(throws: SimulationError.self) {
            try ScenarioStage.names().characteristic(SimulationTarget(text))
        }
    }

    @Test
    func everyTextOfCompletionMeansWhatItStandsFor() throws {
        let names = try ScenarioStage.names(3)
        for text in names.texts(of: [.characteristic]) where !text.hasSuffix("/Name") {
            let (place, _) = try names.characteristic(SimulationTarget(text))
            #expect(names.text(of: .characteristic(place)) == text)
        }
    }

    @Test(arguments: [
        SimulationAction.set("Target Door State", to: "Ajar"),
        .set(SimulationTarget("Nothing"), to: "1"), .stop(SimulationTarget("Accessory Information")),
        .advance(.seconds(-1)), .advance(.seconds(1e12)), .scale(.nan), .scale(0), .clear(fault: nil, on: "Nowhere"),
    ])
    func whatCanNeverBeDoneIsRefused(action: SimulationAction) throws {
        #expect(throws: SimulationError.self) { try ScenarioStage.names().check(action) }
    }
}

extension SimulationTarget: ExpressibleByStringLiteral {
    /// Takes a text.
    public init(stringLiteral text: String) {
        self.init(text)
    }
}
