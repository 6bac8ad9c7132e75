import AccessoryModel
import HAPCore
import Hosting
import Synchronization
import TestSupport
import Testing

@testable import HomeKit

/// Tests of an accessory in a home: its values, and the delegate calls for changes.
@Suite struct GarageTests {
    @Test func accessoryIsAddedWithItsServicesAndValues() async throws {
        let fixture = try await HomeKitFixture()
        let home = try await fixture.home()
        let garage = try #require(home.accessories.first)
        try await eventually("the values are known") { garage.manufacturer != nil }
        #expect(garage.manufacturer == "Kilgo Devices, Inc.")
        #expect(garage.model != nil && garage.firmwareVersion != nil)
        #expect(garage.category.categoryType == HMAccessoryCategoryTypeGarageDoorOpener)
        #expect(garage.category.localizedDescription == "Garage Door Opener")
        #expect(garage.room === home.roomForEntireHome())
        #expect(garage.home === home)
        #expect(!garage.isBridged && garage.uniqueIdentifiersForBridgedAccessories == nil)
        let door = try home.service(HMServiceTypeGarageDoorOpener)
        #expect(door.accessory === garage)
        #expect(door.isUserInteractive)
        let information = try home.service(HMServiceTypeAccessoryInformation)
        #expect(!information.isUserInteractive)
        let state = try home.characteristic(HMCharacteristicTypeCurrentDoorState)
        #expect(state.value as? Int == HMCharacteristicValueDoorState.closed.rawValue)
        #expect(state.localizedDescription == "Current Door State")
        #expect(state.service === door)
        #expect(
            state.properties
                == [HMCharacteristicPropertyReadable, HMCharacteristicPropertySupportsEventNotification]
        )
        await fixture.close()
    }

    @Test func valuesHaveTheTypesThatAppsCastTo() async throws {
        let fixture = try await HomeKitFixture()
        let home = try await fixture.home()
        let power = try home.characteristic(HMCharacteristicTypePowerState)
        try await power.writeValue(true)
        #expect(power.value as? Bool == true)
        #expect(power.value as? Int == 1)
        #expect((power.value as? NSNumber)?.boolValue == true)
        let name = try home.characteristic(HMCharacteristicTypeManufacturer)
        try await name.readValue()
        #expect(name.value as? String == "Kilgo Devices, Inc.")
        let fade = try home.fadeRate()
        let metadata = try #require(fade.metadata)
        #expect(metadata.format == HMCharacteristicMetadataFormatFloat)
        #expect(metadata.minimumValue?.doubleValue == 0 && metadata.maximumValue?.doubleValue == 10)
        #expect(metadata.stepValue as? Double == 0.5)
        #expect(metadata.units == HMCharacteristicMetadataUnitsSeconds)
        #expect(metadata.validValues == nil && metadata.maxLength == nil)
        #expect(metadata.manufacturerDescription == "Fade Rate")
        try await fade.writeValue(2.6)
        #expect(fade.value as? Double == 2.5, "a value between two steps is rounded")
        await fixture.close()
    }

    @Test func ownWriteCallsTheHandlerAndItsConsequencesCallTheDelegate() async throws {
        let fixture = try await HomeKitFixture()
        let home = try await fixture.home()
        let recorder = Recorder()
        try #require(home.accessories.first).delegate = recorder
        let state = try home.characteristic(HMCharacteristicTypeCurrentDoorState)
        let target = try home.characteristic(HMCharacteristicTypeTargetDoorState)
        try await state.enableNotificationWhenReachable()
        try await target.enableNotification(true)
        #expect(state.isNotificationEnabled)
        try await target.writeValue(HMCharacteristicValueTargetDoorState.open.rawValue)
        #expect(target.value as? Int == 0)
        try await recorder.wait(for: "Current Door State: 2")
        try await fixture.advance(.seconds(12))
        try await recorder.wait(for: "Current Door State: 0")
        #expect(!recorder.lines.contains { $0.hasPrefix("Target Door State") }, "the app has written it itself")
        await fixture.close()
    }

    @Test func delegateIsNotifiedOnlyOfEnabledCharacteristics() async throws {
        let fixture = try await HomeKitFixture()
        let home = try await fixture.home()
        let recorder = Recorder()
        try #require(home.accessories.first).delegate = recorder
        let power = try home.characteristic(HMCharacteristicTypePowerState)
        try await power.enableNotificationWhenReachable()
        let state = try home.characteristic(HMCharacteristicTypeCurrentDoorState)
        // Another controller opens the door, and switches the light.
        try await fixture.report(2, of: state)
        try await fixture.report(true, of: power)
        try await recorder.wait(for: "On: 1")
        #expect(recorder.lines == ["On: 1"])
        try await eventually("the value follows the accessory") { state.value as? Int == 2 }
        try await power.enableNotification(false)
        try await fixture.report(false, of: power)
        try await eventually("the value follows the accessory") { power.value as? Bool == false }
        #expect(recorder.lines == ["On: 1"])
        await fixture.close()
    }

    @Test func lostAccessoryIsUnreachableAndNoLongerNotifies() async throws {
        let fixture = try await HomeKitFixture()
        let home = try await fixture.home()
        let garage = try #require(home.accessories.first)
        let power = try home.characteristic(HMCharacteristicTypePowerState)
        try await power.enableNotificationWhenReachable()
        let recorder = Recorder()
        garage.delegate = recorder
        await fixture.close()
        try await recorder.wait(for: "reachable: false")
        #expect(!garage.isReachable && !power.isNotificationEnabled)
        #expect(garage.manufacturer == "Kilgo Devices, Inc.", "the last values stay")
        let error = await #expect(throws: HMError.self) { try await power.writeValue(true) }
        #expect(error?.code == .accessoryNotReachable)
        #expect(
            await #expect(throws: HMError.self) { try await power.enableNotification(true) }?.code
                == .accessoryNotReachable
        )
    }

    @Test func managerHasOneObjectForEachThing() async throws {
        let fixture = try await HomeKitFixture()
        let home = try await fixture.home()
        #expect(fixture.manager.homes.first === home)
        #expect(home.accessories.first === home.accessories.first)
        #expect(
            try home.characteristic(HMCharacteristicTypePowerState)
                === home.characteristic(HMCharacteristicTypePowerState)
        )
        let other = try await fixture.anotherManager()
        let twin = try #require(other.homes.first)
        #expect(twin !== home)
        #expect(twin.uniqueIdentifier == home.uniqueIdentifier)
        #expect(twin.accessories.map(\.uniqueIdentifier) == home.accessories.map(\.uniqueIdentifier))
        await fixture.close()
    }

    @Test func writesToOneAccessoryKeepTheirOrder() async throws {
        let fixture = try await HomeKitFixture()
        let home = try await fixture.home()
        let power = try home.characteristic(HMCharacteristicTypePowerState)
        let order = Mutex<[Int]>([])
        await withCheckedContinuation { continuation in
            for number in 0..<50 {
                power.writeValue(number % 2 == 0) { error in
                    let isLast = order.withLock { order in
                        order.append(error == nil ? number : -1)
                        return order.count == 50
                    }
                    if isLast { continuation.resume() }
                }
            }
        }
        #expect(order.withLock(\.self) == Array(0..<50))
        #expect(try await fixture.servedValue(of: power) == false)
        await fixture.close()
    }

    @Test func removedAccessoryKeepsItsLastStateAndRefusesRequests() async throws {
        let fixture = try await HomeKitFixture()
        let home = try await fixture.home()
        let garage = try #require(home.accessories.first)
        let door = try home.service(HMServiceTypeGarageDoorOpener)
        let power = try home.characteristic(HMCharacteristicTypePowerState)
        let identifier = power.uniqueIdentifier
        try await home.removeAccessory(garage)
        #expect(home.accessories.isEmpty)
        #expect(garage.name == "Kilgo Garage")
        #expect(garage.home == nil && door.accessory == nil)
        #expect(garage.services.contains(door) && door.characteristics.count == 6, "its contents stay")
        #expect(power.characteristicType == HMCharacteristicTypePowerState)
        #expect(power.uniqueIdentifier == identifier)
        for operation in [
            { try await power.writeValue(true) }, { try await power.readValue() },
            { try await garage.updateName("Other") }, { try await home.removeAccessory(garage) },
            { try await garage.identify() }, { try await door.updateName("Other") },
        ] as [() async throws -> Void] {
            #expect(
                await #expect(throws: HMError.self) { try await operation() }?.code == .objectNotAssociatedToAnyHome
            )
        }
        #expect(await !fixture.isPaired, "the pairing is removed, too")
        await fixture.close()
    }

    @Test func editsAreMadeAndHandlersCalledWithoutTheManager() async throws {
        let folder = try TemporaryFolder()
        let calls = Mutex(0)
        do {
            let manager = try HomeKitFixture.manager(in: folder)
            try await manager.load()
            let home = try await manager.addHome(named: "Kilgo House")
            home.addRoom(withName: "Garage") { _, _ in calls.withLock { $0 += 1 } }
            home.updateName("Lodge") { _ in calls.withLock { $0 += 1 } }
        }
        try await eventually("both handlers are called") { calls.withLock(\.self) == 2 }
        let manager = try HomeKitFixture.manager(in: folder)
        try await manager.load()
        #expect(manager.homes.first?.name == "Lodge" && manager.homes.first?.rooms.count == 1)
    }

    @Test func coreIsReleasedWithTheLastManager() async throws {
        weak var core: HomeKitCore?
        let host: AccessoryHost
        do {
            let fixture = try await HomeKitFixture()
            host = fixture.host
            let home = try await fixture.home()
            let power = try home.characteristic(HMCharacteristicTypePowerState)
            try await power.enableNotificationWhenReachable()
            try await power.writeValue(true)
            core = fixture.manager.context.core
        }
        try await eventually("nothing keeps the homes", within: .seconds(10)) { core == nil }
        await host.stop()
    }

    @Test func identifyReachesTheAccessory() async throws {
        let fixture = try await HomeKitFixture()
        let home = try await fixture.home()
        let garage = try #require(home.accessories.first)
        #expect(garage.supportsIdentify)
        try await garage.identify()
        await fixture.close()
    }
}

extension HMCharacteristic {
    /// Enables notifications once the accessory can be reached.
    func enableNotificationWhenReachable() async throws {
        try await eventually("the accessory is reachable") { self.service?.accessory?.isReachable == true }
        try await enableNotification(true)
    }
}
