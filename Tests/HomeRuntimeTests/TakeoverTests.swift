import AccessoryModel
import HAPCore
import HomeModel
import TestSupport
import Testing

@testable import HomeRuntime

@Suite("What a server has, taken over into a home")
struct TakeoverTests {
    private static func service(_ iid: UInt64, _ name: String) -> RemoteService {
        RemoteService(
            named: name,
            .lightbulb,
            iid: iid,
            characteristics: [RemoteCharacteristic(ofNumber: iid + 1, .on)]
        )
    }

    private static func server(_ services: [RemoteService], name: String = "Kilgo Garage") throws -> WorldServer {
        WorldServer(
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

    private let light = TakeoverTests.service(10, "Garage Light")
    private let lamp = TakeoverTests.service(20, "Work Lamp")

    @Test("is the same when nothing has changed")
    func isTheSame() throws {
        var home = try home()
        let server = try Self.server([light, lamp])
        #expect(try home.takeOver(server).added.count == 1)
        let before = home
        #expect(try home.takeOver(server).isEmpty)
        #expect(home == before)
    }

    @Test("gives an accessory that is there the services that it has now")
    func takesServicesOver() throws {
        var home = try home()
        try home.addAccessories(of: Self.server([light]))
        let takeover = try home.takeOver(try Self.server([light, lamp]))
        #expect(takeover.added.isEmpty && takeover.changed.count == 1)
        #expect(takeover.consequences.map(\.description) == ["Kilgo Garage has a new service Work Lamp."])
        #expect(home.shownServices.map(\.service.name.text) == ["Garage Light", "Work Lamp"])
    }

    @Test("gives an accessory that a file has named by its device ID what it has")
    func fillsWhatHadNoStructure() throws {
        var home = try home()
        let server = try Self.server([light])
        let reference = AccessoryReference(server: server.id, aid: .primary)
        let id = try home.addAccessory(RemoteAccessory(named: "Garage Unit", services: []), at: reference)
        #expect(try home.takeOver(server).changed == [id])
        #expect(home.accessories.map(\.name.text) == ["Garage Unit"])
        #expect(home.shownServices.map(\.service.name.text) == ["Garage Light"])
    }

    @Test(
        "finds an accessory that a file has named by what it is called",
        arguments: [("Kilgo Garage", nil), ("kilgo garage", nil), ("Shed", "Shed")]
    )
    func fillsPlaceholders(kept: String, chosen: String?) throws {
        var home = try home()
        let room = try home.addRoom(named: ObjectName("Garage"))
        let id = try home.addAccessory(RemoteAccessory(named: kept, services: []))
        let name = try chosen.map { try ObjectName($0) }
        let new = try ObjectName("Ceiling Light")
        let takeover = try home.takeOver(try Self.server([light])) { _ in
            AccessoryPlacement(name: name, room: room, services: [0: .init(name: new)])
        }
        #expect(takeover.changed == [id] && takeover.added.isEmpty)
        #expect(home.accessories.count == 1)
        #expect(home.accessories.first?.reference?.aid == .primary)
        #expect(home.accessories.first?.isPlaceholder == false)
        #expect(home.shownServices.map(\.service.name.text) == ["Ceiling Light"])
        #expect(home.shownServices.map(\.room) == [room])
    }

    @Test("takes no other accessory for one that a file has named")
    func leavesOthersAlone() throws {
        var home = try home()
        _ = try home.addAccessory(RemoteAccessory(named: "Kilgo Garage", services: []))
        let name = try ObjectName("Second Garage")
        let takeover = try home.takeOver(try Self.server([light])) { _ in AccessoryPlacement(name: name) }
        #expect(takeover.added.count == 1)
        #expect(home.accessories.map(\.isPlaceholder) == [true, false])
    }
}
