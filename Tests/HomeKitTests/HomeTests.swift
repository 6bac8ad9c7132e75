import HomeModel
import Synchronization
import TestSupport
import Testing

@testable import HomeKit

/// Tests of homes, rooms, zones and groups.
@Suite struct HomeTests {
    @Test func homesAreEmptyUntilTheDelegateIsNotified() async throws {
        let folder = try TemporaryFolder()
        let manager = try HomeKitFixture.manager(in: folder)
        #expect(manager.homes.isEmpty && manager.primaryHome == nil)
        #expect(manager.authorizationStatus == [.determined, .authorized])
        let recorder = Recorder()
        manager.delegate = recorder
        try await recorder.wait(for: "homes: []")
        #expect(recorder.lines == ["homes: []"])
    }

    @Test func delegateThatIsSetAfterLoadingIsNotified() async throws {
        let fixture = try await HomeKitFixture(garages: 0)
        _ = try await fixture.home(garages: 0)
        let recorder = Recorder()
        fixture.manager.delegate = recorder
        try await recorder.wait(for: "homes: [\"Kilgo House\"]")
        await fixture.close()
    }

    @Test func releasedManagerDoesNotCallItsDelegate() async throws {
        let folder = try TemporaryFolder()
        let recorder = Recorder()
        do {
            let manager = try HomeKitFixture.manager(in: folder)
            manager.delegate = recorder
        }
        let other = try HomeKitFixture.manager(in: folder)
        try await other.load()
        #expect(recorder.lines.isEmpty)
    }

    @Test func objectsOutliveTheirManagerUntilTheyAreReleased() async throws {
        let folder = try TemporaryFolder()
        weak var context: ManagerContext?
        do {
            var manager: HMHomeManager? = try HomeKitFixture.manager(in: folder)
            try await manager?.load()
            let home = try #require(try await manager?.addHome(named: "Kilgo House"))
            let room = try await home.addRoom(named: "Garage")
            context = manager?.context
            manager = nil
            #expect(home.rooms == [room] && home.rooms.first === room)
            try await room.updateName("Carport")
            #expect(home.rooms.map(\.name) == ["Carport"])
        }
        try await eventually("nothing keeps the objects") { context == nil }
    }

    @Test func releasedDelegateIsNotCalled() async throws {
        let fixture = try await HomeKitFixture(garages: 0)
        let home = try await fixture.home(garages: 0)
        home.delegate = Recorder()
        #expect(home.delegate == nil)
        try await fixture.changeHomeElsewhere { home throws(HomeError) in
            _ = try home.addRoom(named: ObjectName("Garage"))
        }
        try await eventually("the room is there") { home.rooms.count == 1 }
        await fixture.close()
    }

    @Test func homesAreAddedRenamedAndRemoved() async throws {
        let fixture = try await HomeKitFixture(garages: 0)
        let manager = fixture.manager
        let house = try await manager.addHome(named: "Kilgo House")
        let cabin = try await manager.addHome(named: "Cabin")
        #expect(manager.homes == [house, cabin])
        #expect(manager.primaryHome === house && house.isPrimary && !cabin.isPrimary)
        try await manager.updatePrimaryHome(cabin)
        #expect(manager.primaryHome === cabin)
        try await cabin.updateName("Lodge")
        #expect(cabin.name == "Lodge")
        let identifier = house.uniqueIdentifier
        try await manager.removeHome(house)
        #expect(manager.homes == [cabin])
        #expect(house.name == "Kilgo House" && house.uniqueIdentifier == identifier)
        await fixture.close()
    }

    @Test func completionHandlersAreCalledOnceOnTheMainQueue() async throws {
        let fixture = try await HomeKitFixture(garages: 0)
        let calls = Mutex(0)
        await withCheckedContinuation { continuation in
            fixture.manager.addHome(withName: "Kilgo House") { home, error in
                dispatchPrecondition(condition: .onQueue(.main))
                #expect(home?.name == "Kilgo House" && error == nil)
                #expect(fixture.manager.homes.count == 1, "the state changes before the handler is called")
                calls.withLock { $0 += 1 }
                continuation.resume()
            }
        }
        await withCheckedContinuation { continuation in
            fixture.manager.addHome(withName: "kilgo house") { home, error in
                dispatchPrecondition(condition: .onQueue(.main))
                #expect(home == nil && (error as? HMError)?.code == .homeWithSimilarNameExists)
                calls.withLock { $0 += 1 }
                continuation.resume()
            }
        }
        #expect(calls.withLock(\.self) == 2)
        await fixture.close()
    }

    @Test func roomsAndZonesAreAddedAndRemoved() async throws {
        let fixture = try await HomeKitFixture()
        let home = try await fixture.home()
        let garage = try await home.addRoom(named: "Garage")
        let attic = try await home.addRoom(named: "Attic")
        #expect(home.rooms == [garage, attic])
        #expect(!home.rooms.contains(home.roomForEntireHome()))
        let accessory = try #require(home.accessories.first)
        try await home.assignAccessory(accessory, to: garage)
        #expect(accessory.room === garage && garage.accessories == [accessory])
        let zone = try await home.addZone(named: "Upstairs")
        try await zone.addRoom(attic)
        #expect(zone.rooms == [attic] && home.zones == [zone])
        try await attic.updateName("Loft")
        #expect(zone.rooms.map(\.name) == ["Loft"])
        try await zone.removeRoom(attic)
        #expect(zone.rooms.isEmpty)
        try await zone.updateName("Above")
        try await home.removeRoom(garage)
        #expect(accessory.room === home.roomForEntireHome())
        try await home.removeZone(zone)
        #expect(home.zones.isEmpty && zone.name == "Above")
        await fixture.close()
    }

    @Test func groupsHaveServices() async throws {
        let fixture = try await HomeKitFixture()
        let home = try await fixture.home()
        let light = try home.service(HMServiceTypeLightbulb)
        let group = try await home.addServiceGroup(named: "Reading Lamps")
        try await group.addService(light)
        #expect(group.services == [light] && home.serviceGroups == [group])
        try await group.updateName("Lamps")
        try await group.removeService(light)
        #expect(group.services.isEmpty)
        try await home.removeServiceGroup(group)
        #expect(home.serviceGroups.isEmpty)
        await fixture.close()
    }

    @Test func servicesAndAccessoriesAreRenamed() async throws {
        let fixture = try await HomeKitFixture()
        let home = try await fixture.home()
        let garage = try #require(home.accessories.first)
        try await garage.updateName("Unit")
        let light = try home.service(HMServiceTypeLightbulb)
        try await light.updateName("Bulb")
        #expect(garage.name == "Unit" && light.name == "Bulb")
        #expect(home.servicesWithTypes([HMServiceTypeLightbulb]) == [light])
        #expect(home.servicesWithTypes([HMServiceTypeThermostat]) == nil)
        await fixture.close()
    }

    @Test func uniqueIdentifiersAreTheSameInANewProcess() async throws {
        let folder = try TemporaryFolder()
        var identifiers: [UUID] = []
        for _ in 0..<2 {
            let manager = try HomeKitFixture.manager(in: folder)
            try await manager.load()
            if manager.homes.isEmpty { _ = try await manager.addHome(named: "Kilgo House").addRoom(named: "Garage") }
            let home = try #require(manager.homes.first)
            identifiers += [
                home.uniqueIdentifier, home.rooms[0].uniqueIdentifier, home.roomForEntireHome().uniqueIdentifier,
            ]
        }
        #expect(Array(identifiers.prefix(3)) == Array(identifiers.suffix(3)))
        #expect(Set(identifiers).count == 3)
    }

    @Test func setupAnswerDoesNotPrintItsCode() {
        let answer = HomeKitSetupAnswer(code: "031-45-154", accessory: "Kilgo Garage")
        var dumped = ""
        dump(answer, to: &dumped)
        for text in ["\(answer)", String(reflecting: answer), dumped] {
            #expect(!text.contains("031") && text.contains("Kilgo Garage"))
        }
    }
}
