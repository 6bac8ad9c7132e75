import AccessoryModel
import HAPCore
import HomeModel
import TestSupport
import Testing

@testable import HomeRuntime

@Suite("Importing the accessories of a server into a home")
struct ServerImportTests {
    private static func service(_ iid: UInt64, _ name: String) -> RemoteService {
        RemoteService(
            named: name,
            .lightbulb,
            iid: iid,
            characteristics: [RemoteCharacteristic(iid: iid + 1, .on)]
        )
    }

    private static func server(_ services: [RemoteService], name: String = "Kilgo Garage") throws -> BackendServer {
        BackendServer(
            id: try #require(DeviceID("00:11:22:33:44:55")),
            alias: "kilgo-garage",
            accessories: [
                RemoteAccessory(named: name, services: services)
            ]
        )
    }

    private func home() throws -> Home {
        Home(id: ObjectID(1), name: try ObjectName("House"))
    }

    private let light = ServerImportTests.service(10, "Garage Light")
    private let lamp = ServerImportTests.service(20, "Work Lamp")

    @Test("changes nothing if the server has not changed")
    func importingAnUnchangedServerChangesNothing() throws {
        var home = try home()
        let server = try Self.server([light, lamp])
        #expect(try home.importServer(server).added.count == 1)
        let before = home
        #expect(try home.importServer(server).isEmpty)
        #expect(home == before)
    }

    @Test("updates the services of an existing accessory")
    func importUpdatesServices() throws {
        var home = try home()
        try home.addAccessories(of: Self.server([light]))
        let takeover = try home.importServer(try Self.server([light, lamp]))
        #expect(takeover.added.isEmpty && takeover.changed.count == 1)
        #expect(takeover.effects.map(\.description) == ["Kilgo Garage has a new service Work Lamp."])
        #expect(home.visibleServices.map(\.service.name.text) == ["Garage Light", "Work Lamp"])
    }

    @Test("adds the services of an accessory that a file named by its device ID")
    func importFillsAccessoriesWithoutStructure() throws {
        var home = try home()
        let server = try Self.server([light])
        let reference = AccessoryReference(server: server.id, aid: .primary)
        let id = try home.addAccessory(RemoteAccessory(named: "Garage Unit", services: []), at: reference)
        #expect(try home.importServer(server).changed == [id])
        #expect(home.accessories.map(\.name.text) == ["Garage Unit"])
        #expect(home.visibleServices.map(\.service.name.text) == ["Garage Light"])
    }

    @Test(
        "finds an accessory that a file named by its name",
        arguments: [("Kilgo Garage", nil), ("kilgo garage", nil), ("Shed", "Shed")]
    )
    func importFillsPlaceholders(stored: String, chosen: String?) throws {
        var home = try home()
        let room = try home.addRoom(named: ObjectName("Garage"))
        let id = try home.addAccessory(RemoteAccessory(named: stored, services: []))
        let name = try chosen.map { try ObjectName($0) }
        let new = try ObjectName("Ceiling Light")
        let takeover = try home.importServer(try Self.server([light])) { _ in
            AccessoryPlacement(name: name, room: room, services: [0: new])
        }
        #expect(takeover.changed == [id] && takeover.added.isEmpty)
        #expect(home.accessories.count == 1)
        #expect(home.accessories.first?.reference?.aid == .primary)
        #expect(home.accessories.first?.isPlaceholder == false)
        #expect(home.visibleServices.map(\.service.name.text) == ["Ceiling Light"])
        #expect(home.visibleServices.map(\.room) == [room])
    }

    @Test("does not take another accessory for one that a file named")
    func importLeavesOtherServersAlone() throws {
        var home = try home()
        _ = try home.addAccessory(RemoteAccessory(named: "Kilgo Garage", services: []))
        let name = try ObjectName("Second Garage")
        let takeover = try home.importServer(try Self.server([light])) { _ in AccessoryPlacement(name: name) }
        #expect(takeover.added.count == 1)
        #expect(home.accessories.map(\.isPlaceholder) == [true, false])
    }
}
