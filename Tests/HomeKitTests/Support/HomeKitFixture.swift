import AccessoryModel
import HAPCore
import HAPServer
import HomeModel
import HomeRuntime
import HostTestSupport
import Hosting
import Simulation
import Synchronization
import TestSupport
import Testing

@testable import HomeKit

/// A manager on a new state folder, and served garages that it can add.
final class HomeKitFixture: Sendable {
    let folder: TemporaryFolder
    let host: AccessoryHost
    let manager: HMHomeManager

    /// Starts it, and waits until the manager has loaded its homes.
    ///
    /// - Parameter garages: The number of served garages, which are on a paused clock.
    init(garages: Int = 1, runsTriggers: Bool = false, settings: HostSettings = .paused) async throws {
        folder = try TemporaryFolder()
        host = try await AccessoryHost.garages(garages, settings)
        manager = try Self.manager(in: folder, runsTriggers: runsTriggers)
        try await manager.load()
    }

    static func manager(in folder: TemporaryFolder, runsTriggers: Bool = false) throws -> HMHomeManager {
        let settings = HomeKitSettings.Values(
            stateFolder: folder.path,
            runsTriggers: runsTriggers,
            setupAnswer: { question in Self.answers.withLock { $0[folder.path] } }
        )
        return HMHomeManager(core: .shared(in: folder.path, settings: settings))
    }

    private static let answers = Mutex<[String: HomeKitSetupAnswer]>([:])

    /// Sets what is answered when an accessory is added.
    func answer(_ answer: HomeKitSetupAnswer?) { Self.answers.withLock { $0[folder.path] = answer } }

    /// Another manager, which shows the homes of the same folder with objects of its own.
    func anotherManager() async throws -> HMHomeManager {
        let manager = try Self.manager(in: folder)
        try await manager.load()
        return manager
    }

    /// Adds a home with served garages.
    func home(_ name: String = "Kilgo House", garages: Int = 1) async throws -> HMHome {
        let home = try await manager.addHome(named: name)
        for number in 0..<garages { try await addGarage(number, to: home) }
        return home
    }

    func addGarage(_ number: Int = 0, to home: HMHome) async throws {
        let port = await host.servers[number].server.information.port
        answer(HomeKitSetupAnswer(code: Vectors.all.pairSetup.setupCode, accessory: "127.0.0.1:\(port)"))
        try await home.addAndSetUpAccessories()
    }

    func advance(_ time: Duration) async throws {
        try await host.perform(written: .advance(time))
    }

    /// Lets an accessory report a value, as a person or another controller causes it.
    func report(_ value: CharacteristicValue, of characteristic: HMCharacteristic) async throws {
        let reference = try #require(characteristic.reference)
        for served in host.servers where await served.server.information.deviceID == reference.accessory.server {
            #expect(await served.server.set(value, for: reference.id))
        }
    }

    /// The value that an accessory has.
    func servedValue(of characteristic: HMCharacteristic) async throws -> CharacteristicValue? {
        let reference = try #require(characteristic.reference)
        for served in host.servers where await served.server.information.deviceID == reference.accessory.server {
            return await served.server.value(of: reference.id)
        }
        return nil
    }

    /// Whether the first accessory is paired.
    var isPaired: Bool {
        get async { await host.servers[0].server.information.isPaired }
    }

    /// Changes the stored homes as another process does.
    func changeElsewhere(_ change: (inout Homes) throws -> Void) async throws {
        let store = try await HomeStateStore.open(folder: folder.path)
        let stored = try await store.homes()
        var homes = stored.homes
        try change(&homes)
        _ = try await store.save(homes, replacing: stored.version)
        try await store.close()
    }

    /// Changes the first stored home as another process does.
    func changeHomeElsewhere(_ change: (inout Home) throws(HomeError) -> Void) async throws {
        try await changeElsewhere { homes in try homes.edit(try #require(homes.homes.first).id, change) }
    }

    func close() async {
        await host.stop()
    }
}

extension HMHomeManager {
    /// Waits until the manager shows its homes.
    func load() async throws {
        try await eventually("the homes are loaded") { self.context.isLoaded }
    }
}

extension HMHome {
    /// The characteristic that Apple does not define.
    func fadeRate() throws -> HMCharacteristic { try characteristic(KilgoGarage.fadeRate.uuid.description) }

    func service(_ type: String) throws -> HMService {
        try #require(accessories.flatMap(\.services).first { $0.serviceType == type })
    }

    func characteristic(_ type: String) throws -> HMCharacteristic {
        try #require(accessories.flatMap(\.services).flatMap(\.characteristics).first { $0.characteristicType == type })
    }
}

/// Records the calls of delegates, one line for each.
final class Recorder: NSObject, HMHomeManagerDelegate, HMHomeDelegate, HMAccessoryDelegate {
    private let recorded = Mutex<[String]>([])
    var lines: [String] { recorded.withLock(\.self) }

    func record(_ line: String) { recorded.withLock { $0.append(line) } }
    func clear() { recorded.withLock { $0 = [] } }

    func wait(for line: String) async throws {
        try await eventually(line) { self.lines.contains(line) }
    }

    func homeManagerDidUpdateHomes(_ manager: HMHomeManager) { record("homes: \(manager.homes.map(\.name))") }
    func homeManagerDidUpdatePrimaryHome(_ manager: HMHomeManager) {
        record("primary: \(manager.primaryHome?.name ?? "")")
    }
    func homeManager(_ manager: HMHomeManager, didAdd home: HMHome) { record("added home \(home.name)") }
    func homeManager(_ manager: HMHomeManager, didRemove home: HMHome) { record("removed home \(home.name)") }

    func homeDidUpdateName(_ home: HMHome) { record("home is \(home.name)") }
    func homeDidUpdateAccessControl(forCurrentUser home: HMHome) { record("access control") }
    func home(_ home: HMHome, didAdd accessory: HMAccessory) { record("added accessory \(accessory.name)") }
    func home(_ home: HMHome, didRemove accessory: HMAccessory) { record("removed accessory \(accessory.name)") }
    func home(_ home: HMHome, didUpdate room: HMRoom, for accessory: HMAccessory) {
        record("\(accessory.name) is in \(room.name)")
    }
    func home(_ home: HMHome, didAdd user: HMUser) { record("added user \(user.name)") }
    func home(_ home: HMHome, didRemove user: HMUser) { record("removed user \(user.name)") }
    func home(_ home: HMHome, didAdd room: HMRoom) { record("added room \(room.name)") }
    func home(_ home: HMHome, didRemove room: HMRoom) { record("removed room \(room.name)") }
    func home(_ home: HMHome, didUpdateNameFor room: HMRoom) { record("room is \(room.name)") }
    func home(_ home: HMHome, didAdd zone: HMZone) { record("added zone \(zone.name)") }
    func home(_ home: HMHome, didRemove zone: HMZone) { record("removed zone \(zone.name)") }
    func home(_ home: HMHome, didUpdateNameFor zone: HMZone) { record("zone is \(zone.name)") }
    func home(_ home: HMHome, didAdd room: HMRoom, to zone: HMZone) { record("\(zone.name) has \(room.name)") }
    func home(_ home: HMHome, didRemove room: HMRoom, from zone: HMZone) { record("\(zone.name) lost \(room.name)") }
    func home(_ home: HMHome, didAdd group: HMServiceGroup) { record("added group \(group.name)") }
    func home(_ home: HMHome, didRemove group: HMServiceGroup) { record("removed group \(group.name)") }
    func home(_ home: HMHome, didUpdateNameFor group: HMServiceGroup) { record("group is \(group.name)") }
    func home(_ home: HMHome, didAdd service: HMService, to group: HMServiceGroup) {
        record("\(group.name) has \(service.name)")
    }
    func home(_ home: HMHome, didRemove service: HMService, from group: HMServiceGroup) {
        record("\(group.name) lost \(service.name)")
    }
    func home(_ home: HMHome, didAdd actionSet: HMActionSet) { record("added scene \(actionSet.name)") }
    func home(_ home: HMHome, didRemove actionSet: HMActionSet) { record("removed scene \(actionSet.name)") }
    func home(_ home: HMHome, didUpdateNameFor actionSet: HMActionSet) { record("scene is \(actionSet.name)") }
    func home(_ home: HMHome, didUpdateActionsFor actionSet: HMActionSet) {
        record("\(actionSet.name) has \(actionSet.actions.count) actions")
    }
    func home(_ home: HMHome, didAdd trigger: HMTrigger) { record("added trigger \(trigger.name)") }
    func home(_ home: HMHome, didRemove trigger: HMTrigger) { record("removed trigger \(trigger.name)") }
    func home(_ home: HMHome, didUpdateNameFor trigger: HMTrigger) { record("trigger is \(trigger.name)") }
    func home(_ home: HMHome, didUpdate trigger: HMTrigger) { record("changed trigger \(trigger.name)") }
    func home(_ home: HMHome, didUpdate homeHubState: HMHomeHubState) { record("hub \(homeHubState.rawValue)") }

    func accessoryDidUpdateName(_ accessory: HMAccessory) { record("accessory is \(accessory.name)") }
    func accessoryDidUpdateReachability(_ accessory: HMAccessory) { record("reachable: \(accessory.isReachable)") }
    func accessoryDidUpdateServices(_ accessory: HMAccessory) { record("services: \(accessory.services.count)") }
    func accessory(_ accessory: HMAccessory, didUpdateNameFor service: HMService) {
        record("service is \(service.name)")
    }
    func accessory(_ accessory: HMAccessory, didUpdateAssociatedServiceTypeFor service: HMService) {
        record("\(service.name) counts as \(service.associatedServiceType ?? "itself")")
    }
    func accessory(_ accessory: HMAccessory, service: HMService, didUpdateValueFor characteristic: HMCharacteristic) {
        record("\(characteristic.localizedDescription): \(characteristic.value ?? "nil")")
    }
}
