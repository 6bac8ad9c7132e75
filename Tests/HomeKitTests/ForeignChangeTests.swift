import AccessoryModel
import Documents
import HomeModel
import TestSupport
import Testing

@testable import HomeKit

/// Tests that changes of other processes call the delegates, and that the app's own do not.
@Suite struct ForeignChangeTests {
    @Test func changesOfAnotherProcessCallTheDelegates() async throws {
        let fixture = try await HomeKitFixture()
        let home = try await fixture.home()
        let recorder = Recorder()
        home.delegate = recorder
        let garage = try #require(home.accessories.first)
        try await eventually("the garage is reachable") { garage.isReachable }
        garage.delegate = recorder
        let attic = try await home.addRoom(named: "Attic")
        #expect(recorder.lines.isEmpty, "the app's own change")
        let model = try #require(home.modelReference?.model)
        let accessory = model.accessories[0]
        let light = try #require(accessory.services.first { $0.type == .lightbulb })
        let on = CharacteristicSelector(service: light.id, type: .on)
        try await fixture.changeHomeElsewhere { home throws(HomeError) in
            let room = try home.addRoom(named: ObjectName("Garage"))
            let zone = try home.addZone(named: ObjectName("Upstairs"), rooms: [room])
            try home.moveAccessory(accessory.id, to: room)
            try home.renameAccessory(accessory.id, to: ObjectName("Unit"))
            try home.renameService(light.id, to: ObjectName("Bulb"))
            _ = try home.addServiceGroup(named: ObjectName("Lamps"), services: [light.id])
            let scene = try home.addScene(
                named: ObjectName("Bright"),
                actions: [HomeAction(characteristic: on, value: true)]
            )
            _ = try home.addAutomation { id throws(HomeError) in
                Automation(
                    id: id,
                    name: try ObjectName("Morning"),
                    rule: AutomationRule(
                        triggers: [.timeOfDay(CivilTime(secondOfDay: 0), .daily)],
                        targets: AutomationTargets(scenes: [scene])
                    )
                )
            }
            try home.removeRoom(home.rooms[0].id)
            _ = zone
        }
        try await recorder.wait(for: "removed room Attic")
        #expect(attic.name == "Attic", "the removed room keeps its name")
        #expect(
            Set(recorder.lines) == [
                "added room Garage", "added zone Upstairs", "accessory is Unit", "Unit is in Garage",
                "service is Bulb", "added group Lamps", "added scene Bright", "added trigger Morning",
                "removed room Attic",
            ]
        )
        #expect(recorder.lines.first == "added room Garage")
        recorder.clear()
        try await fixture.changeHomeElsewhere { home throws(HomeError) in
            try home.renameRoom(home.rooms[0].id, to: ObjectName("Carport"))
            try home.removeRoom(home.rooms[0].id, from: home.zones[0].id)
            try home.renameZone(home.zones[0].id, to: ObjectName("Above"))
            try home.removeService(light.id, from: home.serviceGroups[0].id)
            try home.renameServiceGroup(home.serviceGroups[0].id, to: ObjectName("Lights"))
            let scene = home.scenes[4].id
            try home.renameScene(scene, to: ObjectName("Dark"))
            try home.setActions([HomeAction(characteristic: on, value: false)], of: scene)
            try home.renameAutomation(home.automations[0].id, to: ObjectName("Evening"))
            try home.setAutomation(home.automations[0].id, isEnabled: false)
        }
        try await recorder.wait(for: "changed trigger Evening")
        #expect(
            Set(recorder.lines) == [
                "room is Carport", "Above lost Carport", "zone is Above", "Lights lost Bulb", "group is Lights",
                "scene is Dark", "Dark has 1 actions", "trigger is Evening", "changed trigger Evening",
            ]
        )
        await fixture.close()
    }

    @Test func homesOfAnotherProcessCallTheManagersDelegate() async throws {
        let fixture = try await HomeKitFixture(garages: 0)
        _ = try await fixture.home(garages: 0)
        let recorder = Recorder()
        fixture.manager.delegate = recorder
        try await recorder.wait(for: "homes: [\"Kilgo House\"]")
        recorder.clear()
        try await fixture.changeElsewhere { homes in
            let cabin = try homes.addHome(named: ObjectName("Cabin"))
            try homes.setPrimary(cabin)
        }
        try await recorder.wait(for: "primary: Cabin")
        #expect(recorder.lines == ["added home Cabin", "primary: Cabin"])
        let cabin = try #require(fixture.manager.homes.last)
        cabin.delegate = recorder
        recorder.clear()
        try await fixture.changeElsewhere { homes in
            let id = homes.homes[1].id
            try homes.renameHome(id, to: ObjectName("Lodge"))
        }
        try await recorder.wait(for: "home is Lodge")
        try await fixture.changeElsewhere { homes in try homes.removeHome(homes.homes[1].id) }
        try await recorder.wait(for: "removed home Lodge")
        #expect(cabin.name == "Lodge")
        await fixture.close()
    }

    @Test func ownChangeDoesNotHideTheChangeOfAnotherProcess() async throws {
        let fixture = try await HomeKitFixture(garages: 0)
        let home = try await fixture.home(garages: 0)
        let recorder = Recorder()
        home.delegate = recorder
        try await fixture.changeHomeElsewhere { home throws(HomeError) in
            _ = try home.addRoom(named: ObjectName("Theirs"))
        }
        _ = try await home.addRoom(named: "Ours")
        try await recorder.wait(for: "added room Theirs")
        #expect(recorder.lines == ["added room Theirs"])
        #expect(home.rooms.map(\.name) == ["Theirs", "Ours"])
        await fixture.close()
    }

    @Test func changeThroughAnotherManagerOfTheProcessIsSeenWithoutACallback() async throws {
        let fixture = try await HomeKitFixture(garages: 0)
        let home = try await fixture.home(garages: 0)
        let other = try await fixture.anotherManager()
        let recorder = Recorder()
        let twin = try #require(other.homes.first)
        twin.delegate = recorder
        _ = try await home.addRoom(named: "Garage")
        #expect(twin.rooms.map(\.name) == ["Garage"])
        #expect(recorder.lines.isEmpty)
        await fixture.close()
    }
}
