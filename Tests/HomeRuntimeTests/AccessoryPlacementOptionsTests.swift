import AccessoryModel
import HAPCore
import HomeModel
import TestSupport
import Testing

@testable import HomeRuntime

/// Tests the names that a user gives the services of an added accessory.
struct AccessoryPlacementOptionsTests {
    private func server() throws -> BackendServer {
        BackendServer(
            id: try #require(DeviceID("00:11:22:33:44:55")),
            alias: "ceiling",
            accessories: [
                RemoteAccessory(
                    named: "Ceiling",
                    services: [
                        RemoteService(named: "Lamp", .lightbulb, iid: 10), RemoteService(named: "Fan", .fan, iid: 20),
                    ]
                )
            ]
        )
    }

    /// Returns a bridge with the same services, each in its own bridged accessory.
    private func bridge() throws -> BackendServer {
        var server = try server()
        let services = server.accessories[0].services.prefix(2)
        server.accessories[0].services.removeFirst(2)
        for (number, service) in zip(2..., services) {
            let aid = try #require(AccessoryID(UInt64(number)))
            server.accessories.append(RemoteAccessory(named: service.name, aid: aid, services: [service]))
        }
        return server
    }

    private static let renames: [(names: [String], services: [String])] = [
        (["Lightbulb=Fan", "Fan=Vent"], ["Fan", "Vent"]), (["Lightbulb=Light", "Fan=Lamp"], ["Light", "Lamp"]),
        (["Lightbulb=Fan", "Fan=Lamp"], ["Fan", "Lamp"]), (["Lamp=lamp"], ["lamp", "Fan"]),
    ]

    @Test(arguments: renames)
    func pairingAgainChangesAllNamesTogether(_ names: [String], services: [String]) throws {
        var home = Home(id: ObjectID(1), name: try ObjectName("House"))
        let server = try server()
        try home.addAccessories(of: server)
        let takeover = try AccessoryPlacementOptions(services: names).addServer(server, to: &home)
        #expect(takeover.changed == home.accessories.map(\.id) && takeover.added.isEmpty)
        #expect(home.visibleServices.map(\.service.name.text) == services)
    }

    @Test(arguments: renames)
    func namesOfAnAccessoryOfAFileChangeTogether(_ names: [String], services: [String]) throws {
        var home = Home(id: ObjectID(1), name: try ObjectName("House"))
        _ = try home.addAccessory(
            RemoteAccessory(
                named: "Ceiling",
                services: [
                    RemoteService(named: "Lamp", .lightbulb), RemoteService(named: "Fan", .fan),
                ]
            )
        )
        let takeover = try AccessoryPlacementOptions(services: names).addServer(try server(), to: &home)
        #expect(takeover.changed == home.accessories.map(\.id) && takeover.added.isEmpty)
        #expect(home.visibleServices.map(\.service.name.text) == services)
    }

    @Test func bridgedAccessoriesCanSwapNames() throws {
        var home = Home(id: ObjectID(1), name: try ObjectName("House"))
        let server = try bridge()
        try home.addAccessories(of: server)
        let takeover = try AccessoryPlacementOptions(services: ["Lamp=Fan", "Fan=Lamp"]).addServer(server, to: &home)
        #expect(takeover.changed == home.accessories.dropFirst().map(\.id))
        #expect(home.visibleServices.map(\.service.name.text) == ["Fan", "Lamp"])
    }

    @Test func aNewServiceMayTakeAReleasedName() throws {
        var home = Home(id: ObjectID(1), name: try ObjectName("House"))
        _ = try home.addAccessory(
            RemoteAccessory(named: "Lamp", services: [RemoteService(named: "Lamp", .lightbulb)])
        )
        let server = try bridge()
        let takeover = try AccessoryPlacementOptions(services: ["Lightbulb=Light", "Fan=Lamp"])
            .addServer(server, to: &home)
        #expect(takeover.added.count == 2)
        #expect(Set(home.visibleServices.map(\.service.name.text)) == ["Light", "Lamp"])
    }

    @Test(arguments: [["Lightbulb=Fan"], ["Fan=Lamp"], ["Lightbulb=Vent", "Fan=vent"]])
    func aNameStillTakenIsRefused(_ names: [String]) throws {
        var homes = Homes()
        let id = try homes.addHome(named: ObjectName("House"))
        let server = try server()
        try homes.edit(id) { home throws(HomeError) in _ = try home.addAccessories(of: server) }
        let before = homes
        let error = #expect(throws: HomeError.self) {
            try homes.edit(id) { home throws(HomeError) in
                _ = try AccessoryPlacementOptions(services: names).addServer(server, to: &home)
            }
        }
        #expect(error?.code == .duplicateName)
        #expect(homes == before)
    }
}
