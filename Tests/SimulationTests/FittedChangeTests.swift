import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

/// The owner of a behavior fits the behavior's changes to the characteristics, which a definition may have changed.
struct FittedChangeTests {
    private static func database(_ service: Service) throws -> AttributeDatabase {
        var identifiers = IdentifierMap()
        var database = try AttributeDatabase(
            [
                Accessory(
                    key: "Fitted",
                    services: [
                        .accessoryInformation(
                            name: "Fitted",
                            manufacturer: "Kilgo Devices, Inc.",
                            model: "F-1",
                            serialNumber: "F1-1",
                            firmware: "1.0.0"
                        ), service,
                    ],
                    aid: .primary
                )
            ],
            identifiers: &identifiers
        )
        _ = database.startBehaviors(at: .zero)
        return database
    }

    @Test func anOutOfRangeLevelIsClampedToTheNarrowedRange() throws {
        var level = Characteristic(cataloged: .batteryLevel, value: 50)
        level.metadata.minimum = 40
        var database = try Self.database(
            Service(
                .battery,
                characteristics: [
                    level, Characteristic(cataloged: .chargingState, value: 0),
                    Characteristic(cataloged: .statusLowBattery, value: 0),
                ],
                behavior: Battery(.init(dischargeDuration: .seconds(86_400)))
            )
        )
        _ = database.advanceBehaviors(to: MonotonicInstant.zero.advanced(by: .seconds(80_000)))
        let index = try #require(database.characteristic(.batteryLevel, of: 1))
        #expect(database.value(at: index) == 40)
    }

    @Test(arguments: [(ButtonPress.single, true), (.double, false), (.long, false)])
    func aButtonSupportsThePressesOfItsValidValues(press: ButtonPress, isAllowed: Bool) throws {
        var event = Characteristic(cataloged: .programmableSwitchEvent)
        event.metadata.validValues = [0]
        var database = try Self.database(
            Service(.statelessProgrammableSwitch, characteristics: [event], behavior: Button())
        )
        let changes = database.perform(.press(press), on: 1, at: .zero)
        #expect((changes != nil) == isAllowed)
        let again = database.perform(.press(press), on: 1, at: .zero)
        #expect(again?.changes.map(\.notifiesSubscribers) == (isAllowed ? [true] : nil))
    }

    @Test func anUnsupportedDetectionIsRefused() throws {
        var database = try Self.database(
            Service(
                .temperatureSensor,
                characteristics: [Characteristic(cataloged: .currentTemperature, value: 20)],
                behavior: LevelSensor(.temperature)
            )
        )
        #expect(database.perform(.applySensorInput(BehaviorChange(.currentTemperature, 1e6)), on: 1, at: .zero) == nil)
        #expect(database.perform(.applySensorInput(BehaviorChange(.currentTemperature, 21)), on: 1, at: .zero) != nil)
        let index = try #require(database.characteristic(.currentTemperature, of: 1))
        #expect(database.value(at: index) == 21)
    }
}
