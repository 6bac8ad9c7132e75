import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

struct KilgoGarageTests {
    private let accessory = KilgoGarage.accessory()

    private func characteristic(_ type: CharacteristicType, of service: ServiceType) -> Characteristic? {
        accessory.services.first { $0.key.type == service }?.characteristics.first { $0.type == type }
    }

    @Test func itIsAGarageDoorOpenerWithAidOne() {
        #expect(KilgoGarage.category.rawValue == 4)
        #expect(accessory.aid?.rawValue == 1)
        #expect(accessory.key == "Kilgo Garage")
    }

    @Test func itsServicesAreInformationProtocolDoorAndLight() {
        #expect(
            accessory.services.map(\.key.type) == [
                .accessoryInformation, .protocolInformation, .garageDoorOpener, .lightbulb,
            ]
        )
        #expect(accessory.services.map(\.isPrimary) == [false, false, true, false])
        #expect(accessory.services.map(\.iid?.rawValue) == [1, nil, nil, nil])
    }

    @Test(arguments: [
        (ServiceType.accessoryInformation, CharacteristicType.name, "Kilgo Garage"),
        (.accessoryInformation, .manufacturer, "Kilgo Devices, Inc."), (.accessoryInformation, .model, "KG-100"),
        (.accessoryInformation, .serialNumber, "KG100-0001"), (.accessoryInformation, .firmwareRevision, "1.0.0"),
        (.protocolInformation, .version, "1.1.0"), (.garageDoorOpener, .name, "Garage Door"),
        (.lightbulb, .name, "Garage Light"),
    ])
    func itsTextsAreExact(service: ServiceType, type: CharacteristicType, text: String) {
        #expect(characteristic(type, of: service)?.value == .string(text))
    }

    @Test func identifyIsWriteOnly() {
        let identify = characteristic(.identify, of: .accessoryInformation)
        #expect(identify?.permissions == .write)
        #expect(identify?.value == nil)
    }

    @Test(arguments: [
        (ServiceType.garageDoorOpener, CharacteristicType.currentDoorState, CharacteristicValue.integer(1)),
        (.garageDoorOpener, .targetDoorState, 1), (.garageDoorOpener, .obstructionDetected, false),
        (.garageDoorOpener, .lockCurrentState, 0), (.garageDoorOpener, .lockTargetState, 0), (.lightbulb, .on, false),
        (.lightbulb, .brightness, 100), (.lightbulb, .hue, 0), (.lightbulb, .saturation, 0),
        (.lightbulb, KilgoGarage.fadeRate, 1),
    ])
    func itStartsClosedUnsecuredAndDark(service: ServiceType, type: CharacteristicType, value: CharacteristicValue) {
        let found = characteristic(type, of: service)
        #expect(found?.value == value)
        #expect(found?.permissions.isSuperset(of: [.read, .events]) == true)
    }

    @Test func theFadeRateIsTheOnlyVendorTypeAndDescribesItself() {
        let vendor = accessory.services.flatMap(\.characteristics).filter { $0.type.uuid.apple == nil }
        let expected = Characteristic(
            type: KilgoGarage.fadeRate,
            permissions: [.read, .write, .events],
            metadata: .init(format: .float, unit: .seconds, minimum: 0, maximum: 10, step: 0.5),
            description: "Fade Rate",
            value: 1
        )
        #expect(vendor == [expected])
        #expect(KilgoGarage.fadeRate.uuid.shortened == "7E536242-341C-4862-BE90-272CE15BD633")
    }

    @Test func eachTypeOccursOnceInItsService() {
        for service in accessory.services {
            #expect(Set(service.characteristics.map(\.type)).count == service.characteristics.count)
        }
    }

    @Test func declaredValuesAreConsistentAtTheStart() {
        for service in accessory.services {
            guard var behavior = service.behavior else { continue }
            var values: [CharacteristicType: CharacteristicValue] = [:]
            for characteristic in service.characteristics {
                values[characteristic.type] = characteristic.value
            }
            #expect(behavior.start(with: values, at: .zero) == [])
            #expect(behavior.nextDeadline == nil)
        }
    }

    @Test func doorAndLightAreSimulatedByDefault() {
        #expect(accessory.services.map { $0.behavior != nil } == [false, false, true, true])
        #expect(KilgoGarage.accessory(isSimulated: false).services.allSatisfy { $0.behavior == nil })
    }

    @Test func theDoorTakesItsConfiguredTime() {
        let quick = KilgoGarage.accessory(door: .init(travel: .seconds(2)))
        var behavior = quick.services.first { $0.isPrimary }?.behavior
        _ = behavior?.write([BehaviorChange(.targetDoorState, 0)], at: .zero)
        #expect(behavior?.nextDeadline == MonotonicInstant(nanoseconds: 2_000_000_000))
    }
}
