import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

/// A characteristic that is declared without a value gets one from its behavior.
struct UnsetCharacteristicTests {
    private static let lastAction = Characteristic(cataloged: .lockLastKnownAction)

    private static func lock() throws -> SimulatedDatabase {
        try SimulatedDatabase(
            Service(
                .lockMechanism,
                characteristics: [
                    Characteristic(cataloged: .lockCurrentState, value: 1),
                    Characteristic(cataloged: .lockTargetState, value: 1), lastAction,
                ],
                behavior: Lock()
            )
        )
    }

    @Test func aLockReportsItsFirstMovementWithoutADeclaredAction() throws {
        var lock = try Self.lock()
        #expect(lock.value(.lockLastKnownAction) == nil)
        lock.write(.lockTargetState, 0)
        lock.advance(by: .seconds(1))
        #expect(lock.value(.lockLastKnownAction) == 7)
    }

    @Test func aDoorsLockStatesAreKnownFromTheStart() throws {
        let door = try SimulatedDatabase(
            Service(
                .garageDoorOpener,
                characteristics: [
                    CharacteristicType.currentDoorState, .targetDoorState, .obstructionDetected, .lockCurrentState,
                    .lockTargetState,
                ]
                .map { Characteristic(cataloged: $0) },
                behavior: GarageDoor()
            )
        )
        #expect(door.value(.currentDoorState) == 1)
        #expect(door.value(.lockCurrentState) == 0)
        #expect(door.value(.lockTargetState) == 0)
    }

    @Test func aDoorbellIsLoudByDefault() throws {
        let bell = try SimulatedDatabase(
            Service(
                .doorbell,
                characteristics: [
                    Characteristic(cataloged: .programmableSwitchEvent), Characteristic(cataloged: .volume),
                    Characteristic(cataloged: .mute, value: true),
                ],
                behavior: Doorbell()
            )
        )
        #expect(bell.value(.volume) == 100)
        #expect(bell.value(.mute) == true)
    }

    @Test func aGasSensorsPeakStartsAtItsLevel() throws {
        var sensor = try SimulatedDatabase(
            Service(
                .carbonDioxideSensor,
                characteristics: [
                    CharacteristicType.carbonDioxideDetected, .carbonDioxideLevel, .carbonDioxidePeakLevel,
                ]
                .map { Characteristic(cataloged: $0) },
                behavior: LevelSensor(.carbonDioxide)
            )
        )
        #expect(sensor.value(.carbonDioxidePeakLevel) == 400)
        sensor.applySensorInput(.carbonDioxideLevel, 1_200)
        #expect(sensor.value(.carbonDioxidePeakLevel) == 1_200)
        #expect(sensor.value(.carbonDioxideDetected) == 1)
    }

    /// The characteristics that have no value until an event, or that are valid without one.
    private static let open: [String: Set<CharacteristicType>] = [
        "button": [.programmableSwitchEvent], "doorbell": [.programmableSwitchEvent],
        "lock": [.lockLastKnownAction], "televisionSpeaker": [.volumeControlType],
        "thermostat": [
            .heatingThresholdTemperature, .coolingThresholdTemperature, .targetRelativeHumidity,
            .currentRelativeHumidity,
        ],
    ]

    @Test(arguments: SimulationCatalog.models.map(\.name))
    func simulatedCharacteristicsHaveValuesOnceStarted(name: String) throws {
        let model = try #require(SimulationCatalog.model(named: name))
        let behavior = try #require(model.model().behavior())
        guard let device = behavior as? any EventDrivenBehavior else { return }
        for type in model.services {
            let definition = try #require(Catalog.services.first { $0.type == type })
            let characteristics = (definition.required + definition.optional).map { Characteristic(cataloged: $0) }
            let database = try SimulatedDatabase(
                Service(type, characteristics: characteristics, behavior: behavior)
            )
            let moved = characteristics.filter {
                let isMoved = device.requiredTypes.contains($0.type) || Swift.type(of: device).rules[$0.type] != nil
                return isMoved && $0.permissions.contains(.read)
            }
            #expect(!moved.isEmpty)
            for characteristic in moved where Self.open[name]?.contains(characteristic.type) != true {
                #expect(database.value(characteristic.type) != nil, "\(characteristic.type) of \(type)")
            }
        }
    }
}
