import HomeKit
import HomeKitSimulator
import Synchronization
import TestSupport
import Testing

/// Tests of simulated accessories in the process of an app's tests.
@Suite struct HomeSimulatorTests {
    /// The folder of the package.
    private static let folder = URL(filePath: #filePath).pathComponents.dropLast(3).joined(separator: "/") + "/"

    // MARK: Sources

    @Test func withoutSourcesTheHomeContainsTheGarage() async throws {
        let simulator = try await HomeSimulator()
        let home = try simulator.home
        #expect(home.name == "Home")
        #expect(home.accessories.map(\.name) == ["Kilgo Garage"])
        #expect(home.accessories.first?.isReachable == true)
        #expect(try simulator.value(HMCharacteristicTypeCurrentDoorState) as? Int == 1)
        let accessory = try #require(await simulator.accessories.first)
        #expect(accessory.isPaired && accessory.name == "Kilgo Garage")
        await simulator.close()
    }

    @Test func sourcesAreCombined() async throws {
        let lamp = """
            accessory: Desk Lamp
            services:
              - type: Lightbulb
                characteristics:
                  On: true
            """
        let simulator = try await HomeSimulator(
            .gallery("thermostat", "ground-floor"),
            .definition(lamp),
            .file(Self.folder + "Accessories/lock.yaml")
        )
        let names = try simulator.home.accessories.map(\.name)
        #expect(names.contains("Desk Lamp") && names.contains("Front Door") && names.count > 5, "\(names)")
        #expect(await simulator.accessories.count == 4)
        await simulator.close()
    }

    @Test func homeFileGivesRoomsAndScenes() async throws {
        let simulator = try await HomeSimulator(.home(Self.folder + "Config/home.yaml"))
        let home = try simulator.home
        #expect(home.name == "Kilgo House")
        #expect(home.accessories.count == 7)
        #expect(home.accessories.allSatisfy { $0.isReachable })
        #expect(home.accessories.first { $0.name == "Front Door" }?.room?.name == "Hall")
        let scene = try #require(home.actionSets.first { !$0.actions.isEmpty })
        try await home.executeActionSet(scene)
        await simulator.close()
    }

    @Test func errorsOfSourcesSayWhatToDo() async throws {
        var text = await message { _ = try await HomeSimulator(.gallery("garag")) }
        #expect(text.contains("has garage") || text.contains(", garage,"), "\(text)")
        text = await message {
            _ = try await HomeSimulator(.definition("accessory: A\nservices: [{ type: Lightbulp }]"))
        }
        #expect(text.contains("definition:2:") && text.contains("Lightbulb"), "\(text)")
        text = await message { _ = try await HomeSimulator(.file("/nowhere.yaml")) }
        #expect(text.contains("/nowhere.yaml") && text.contains("check the name"), "\(text)")
        text = await message { _ = try await HomeSimulator(.gallery("garage"), .gallery("garage")) }
        #expect(text.contains("give one of them another \"id\""), "\(text)")
    }

    // MARK: Pairing

    @Test func appAddsAccessory() async throws {
        let simulator = try await HomeSimulator(isPaired: false)
        let manager = simulator.manager
        #expect(manager.homes.isEmpty)
        #expect(await simulator.accessories.first?.isPaired == false)
        let home = try await manager.addHome(named: "Kilgo House")
        try await home.addAndSetUpAccessories()
        #expect(home.accessories.map(\.name) == ["Kilgo Garage"])
        #expect(await simulator.accessories.first?.isPaired == true)
        try await home.removeAccessory(try #require(home.accessories.first))
        #expect(home.accessories.isEmpty)
        #expect(await simulator.accessories.first?.isPaired == false)
        try await home.addAndSetUpAccessories()
        #expect(home.accessories.first?.isReachable == true)
        await simulator.close()
    }

    @Test func appChoosesOneOfSeveralAccessories() async throws {
        let simulator = try await HomeSimulator(.gallery("lock", "thermostat"), isPaired: false)
        let home = try await simulator.manager.addHome(named: "Home")
        let questions = Mutex<[HomeKitSetupQuestion]>([])
        let answer = simulator.setupAnswer
        let lock = try #require(await simulator.accessories.first { $0.name == "Front Door" })
        simulator.setupAnswer = { question in
            questions.withLock { $0.append(question) }
            return HomeKitSetupAnswer(code: lock.setupCode, accessory: "Front Door")
        }
        try await home.addAndSetUpAccessories()
        #expect(home.accessories.map(\.name) == ["Front Door"])
        #expect(questions.withLock(\.self).first?.discovered == ["Front Door", "Living Room Thermostat"])
        simulator.setupAnswer = answer
        try await home.addAndSetUpAccessories()
        #expect(home.accessories.count == 2)
        await simulator.close()
    }

    @Test func wrongCodeAndCancellationAreErrorsOfHomeKit() async throws {
        let simulator = try await HomeSimulator(isPaired: false)
        let home = try await simulator.manager.addHome(named: "Home")
        simulator.setupAnswer = { _ in HomeKitSetupAnswer(code: "111-22-333") }
        await #expect { try await home.addAndSetUpAccessories() } throws: {
            ($0 as? HMError)?.code == .accessoryPairingFailed
        }
        simulator.setupAnswer = { _ in nil }
        await #expect { try await home.addAndSetUpAccessories() } throws: {
            ($0 as? HMError)?.code == .operationCancelled
        }
        #expect(await simulator.accessories.first?.isPaired == false)
        await simulator.close()
    }

    @Test func payloadAddsAccessory() async throws {
        let simulator = try await HomeSimulator(.gallery("lock", "garage"), isPaired: false)
        let home = try await simulator.manager.addHome(named: "Home")
        let garage = try #require(await simulator.accessories.last)
        let payload = try #require(HMAccessorySetupPayload(url: garage.setupPayload))
        let added = try await home.addAndSetUpAccessories(payload: payload)
        #expect(added.map { $0.name } == ["Kilgo Garage"])
        await simulator.close()
    }

    @Test func browserFindsWhatIsNotPaired() async throws {
        let simulator = try await HomeSimulator(.gallery("lock", "garage"), isPaired: false)
        let browser = simulator.makeAccessoryBrowser()
        browser.startSearchingForNewAccessories()
        try await eventually("both are found") { browser.discoveredAccessories.count == 2 }
        let home = try await simulator.manager.addHome(named: "Home")
        let lock = try #require(browser.discoveredAccessories.first { $0.name == "Front Door" })
        try await home.addAccessory(lock)
        try await eventually("the lock is not found any more") {
            browser.discoveredAccessories.map(\.name) == ["Kilgo Garage"]
        }
        browser.stopSearchingForNewAccessories()
        await simulator.close()
    }

    // MARK: Time, actions and faults

    @Test func doorOpensInSimulatedTime() async throws {
        let simulator = try await HomeSimulator()
        let recorder = try await ValueRecorder(simulator)
        try await simulator.characteristic(HMCharacteristicTypeTargetDoorState).writeValue(0)
        try await simulator.advance(by: .seconds(6))
        #expect(recorder.values == ["Current Door State: 2"])
        try await simulator.advance(by: .seconds(6))
        #expect(recorder.values == ["Current Door State: 2", "Current Door State: 0"])
        await simulator.close()
    }

    @Test func requestThatTheAppDoesNotAwaitIsReceivedBeforeTimePasses() async throws {
        let simulator = try await HomeSimulator()
        try simulator.characteristic(HMCharacteristicTypeTargetDoorState).writeValue(0) { _ in }
        try await simulator.advance(by: .seconds(12))
        #expect(try simulator.value(HMCharacteristicTypeCurrentDoorState) as? Int == 0)
        await simulator.close()
    }

    @Test func everyChangeOfALongTimeIsReported() async throws {
        let simulator = try await HomeSimulator()
        let recorder = try await ValueRecorder(simulator)
        for target in [0, 1, 0, 1] {
            try await simulator.perform("set Target Door State to \(target)")
            try await simulator.advance(by: .seconds(3600))
        }
        let states = recorder.values.filter { $0.hasPrefix("Current") }
        #expect(states == (0..<2).flatMap { _ in [2, 0, 3, 1] }.map { "Current Door State: \($0)" })
        await simulator.close()
    }

    @Test func otherControllersWriteValues() async throws {
        let simulator = try await HomeSimulator()
        let recorder = try await ValueRecorder(simulator)
        let answer = try await simulator.perform("set Garage Light/Brightness to 40")
        #expect(answer.contains("40"))
        #expect(recorder.values == ["Brightness: 40"])
        await simulator.close()
    }

    @Test func obstructedDoorOpensAgain() async throws {
        let simulator = try await HomeSimulator()
        try await simulator.perform("set Target Door State to Open")
        try await simulator.advance(by: .seconds(12))
        try await simulator.perform("set Target Door State to Closed")
        try await simulator.advance(by: .seconds(6))
        try await simulator.perform("obstruct Garage Door")
        #expect(try simulator.value(HMCharacteristicTypeObstructionDetected) as? Bool == true)
        #expect(try simulator.value(HMCharacteristicTypeTargetDoorState) as? Int == 0)
        try await simulator.advance(by: .seconds(12))
        #expect(try simulator.value(HMCharacteristicTypeCurrentDoorState) as? Int == 0)
        await simulator.close()
    }

    @Test func eachPressOfAButtonIsReported() async throws {
        let simulator = try await HomeSimulator(.gallery("button"))
        let recorder = try await ValueRecorder(simulator)
        try await simulator.perform("press Bedside Button")
        try await simulator.perform("press Bedside Button")
        try await simulator.perform("press Bedside Button long")
        #expect(recorder.values.map { $0.suffix(1) } == ["0", "0", "2"])
        await simulator.close()
    }

    @Test func lostAccessoryIsUnreachableUntilTheNetworkIsBack() async throws {
        let simulator = try await HomeSimulator()
        let recorder = try await ValueRecorder(simulator)
        let garage = try #require(try simulator.home.accessories.first)
        try await simulator.perform("fault networkLoss")
        #expect(!garage.isReachable && recorder.values == ["reachable: false"])
        let power = try simulator.characteristic(HMCharacteristicTypePowerState)
        await #expect(throws: HMError.self) { try await power.writeValue(true) }
        try await simulator.perform("clear networkLoss")
        #expect(garage.isReachable && recorder.values == ["reachable: false", "reachable: true"])
        try await power.writeValue(true)
        #expect(power.value as? Bool == true)
        await simulator.close()
    }

    @Test func accessoryThatRestartsIsBackAfterItsTime() async throws {
        let simulator = try await HomeSimulator()
        let garage = try #require(try simulator.home.accessories.first)
        try await simulator.perform("fault reboot away=20s")
        #expect(!garage.isReachable)
        try await simulator.advance(by: .seconds(20))
        #expect(garage.isReachable)
        await simulator.close()
    }

    @Test(arguments: ["fault closeConnections", "fault networkLoss how=silence"])
    func afterALostConnectionTheValuesAreCurrent(fault: String) async throws {
        let simulator = try await HomeSimulator()
        try await simulator.perform(fault)
        try await simulator.perform("set Garage Light/On to on")
        if fault.contains("Loss") { try await simulator.perform("clear") }
        #expect(try simulator.value(HMCharacteristicTypePowerState) as? Bool == true)
        #expect(try simulator.home.accessories.first?.isReachable == true)
        try await simulator.perform("set Garage Light/On to off")
        #expect(try simulator.value(HMCharacteristicTypePowerState) as? Bool == false)
        await simulator.close()
    }

    @Test func requestsInADelegateAreWaitedFor() async throws {
        let simulator = try await HomeSimulator()
        let reader = try ReadingDelegate(simulator)
        try await simulator.perform("fault networkLoss")
        try await simulator.perform("clear networkLoss")
        #expect(reader.readCount == 1)
        await simulator.close()
    }

    @Test func whileAFaultActsTheSimulatorDoesNotWaitForLong() async throws {
        let simulator = try await HomeSimulator()
        try await simulator.perform("fault refuseConnections")
        try await simulator.perform("fault closeConnections")
        #expect(try simulator.home.accessories.first?.isReachable == false)
        try await simulator.perform("clear")
        #expect(try simulator.home.accessories.first?.isReachable == true)
        await simulator.close()
    }

    @Test func removalThatTheAppDoesNotAwaitIsWaitedFor() async throws {
        let simulator = try await HomeSimulator()
        let home = try simulator.home
        home.removeAccessory(try #require(home.accessories.first)) { _ in }
        try await simulator.settle()
        #expect(home.accessories.isEmpty)
        #expect(await simulator.accessories.first?.isPaired == false)
        await simulator.close()
    }

    @Test func homeWithoutAccessoriesHasNoTime() async throws {
        let folder = try TemporaryFolder()
        let file = URL(filePath: folder.path).appending(path: "home.yaml")
        try Data("home: Empty\nrooms: [Kitchen]\n".utf8).write(to: file)
        let simulator = try await HomeSimulator(.home(file.path))
        try await simulator.advance(by: .seconds(1))
        #expect(try simulator.home.rooms.map(\.name) == ["Kitchen"])
        try Data("home: Empty\naccessories: [{ accessory: Lamp }]\n".utf8).write(to: file)
        let text = await message { _ = try await HomeSimulator(.home(file.path)) }
        #expect(text.contains("home.yaml:2:") && text.contains("definition"), "\(text)")
        await simulator.close()
    }

    @Test func canceledTestGetsNoSimulator() async {
        let task = Task { try await HomeSimulator() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func managerKeepsTheAccessories() async throws {
        let manager = try await HomeSimulator().manager
        let services = try #require(manager.homes.first?.accessories.first?.services)
        let power = services.flatMap(\.characteristics)
            .first { $0.characteristicType == HMCharacteristicTypePowerState }
        try await power?.writeValue(true)
        #expect(power?.value as? Bool == true)
    }

    @Test func setupManagerAddsAccessories() async throws {
        let simulator = try await HomeSimulator(isPaired: false)
        let home = try await simulator.manager.addHome(named: "Home")
        let request = HMAccessorySetupRequest()
        request.homeUniqueIdentifier = home.uniqueIdentifier
        let result = try await simulator.makeAccessorySetupManager().performAccessorySetup(using: request)
        #expect(result.homeUniqueIdentifier == home.uniqueIdentifier)
        #expect(home.accessories.map(\.name) == ["Kilgo Garage"])
        await simulator.close()
    }

    @Test func changesOfAnotherAppReachTheDelegates() async throws {
        let simulator = try await HomeSimulator()
        let home = try simulator.home
        let other = try await simulator.makeManagerOfAnotherApp()
        try await #require(other.homes.first).updateName("Kilgo House")
        try await simulator.settle()
        #expect(home.name == "Kilgo House")
        await simulator.close()
    }

    @Test func refusedWriteIsAnErrorOfHomeKit() async throws {
        let simulator = try await HomeSimulator()
        try await simulator.perform("fault status on Garage Light/On times 1")
        let power = try simulator.characteristic(HMCharacteristicTypePowerState)
        await #expect(throws: HMError.self) { try await power.writeValue(true) }
        try await power.writeValue(true)
        await simulator.close()
    }

    @Test func errorsOfActionsSayWhatToDo() async throws {
        let simulator = try await HomeSimulator()
        var text = await message { try await simulator.perform("obstruct Garage Dor") }
        #expect(text.contains("Garage Door"), "\(text)")
        text = await message { try await simulator.perform("open Garage Door") }
        #expect(text.contains("help"), "\(text)")
        text = await message { try await simulator.perform("") }
        #expect(text.contains("obstruct Garage Door"), "\(text)")
        text = await message { try await simulator.perform("quit") }
        #expect(text.contains("close()"), "\(text)")
        #expect(try await simulator.perform("show Garage Door").contains("Current Door State: Closed"))
        #expect(try await simulator.perform("help faults").contains("networkLoss"))
        await simulator.close()
    }

    // MARK: Side by side

    @Test func simulatorsDoNotShareAnything() async throws {
        let (one, other) = (try await HomeSimulator(), try await HomeSimulator())
        try await one.perform("set Garage Light/On to on")
        try await one.home.updateName("One")
        try await one.advance(by: .seconds(1))
        #expect(try one.value(HMCharacteristicTypePowerState) as? Bool == true)
        #expect(try other.value(HMCharacteristicTypePowerState) as? Bool == false)
        #expect(try other.home.name == "Home")
        await one.close()
        try await other.perform("set Garage Light/On to on")
        #expect(try other.value(HMCharacteristicTypePowerState) as? Bool == true)
        await other.close()
    }

    @Test func simulatorAndManagerAreReleased() async throws {
        var simulator: HomeSimulator? = try await HomeSimulator()
        if let answer = simulator?.setupAnswer { simulator?.setupAnswer = { await answer($0) } }
        try await simulator?.advance(by: .seconds(1))
        weak let released = simulator
        weak let manager = simulator?.manager
        simulator = nil
        try await eventually("nothing retains them") { released == nil && manager == nil }
    }

    @Test func closedSimulatorIsUnreachable() async throws {
        let simulator = try await HomeSimulator()
        let garage = try #require(try simulator.home.accessories.first)
        await simulator.close()
        await simulator.close()
        try await eventually("the accessory is lost") { !garage.isReachable }
        #expect(await message { try await simulator.perform("obstruct Garage Door") }.contains("closed"))
        #expect(await message { try await simulator.advance(by: .seconds(1)) }.contains("closed"))
    }

    private func message(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return ""
        } catch {
            return String(describing: error)
        }
    }
}

extension HomeSimulator {
    var home: HMHome {
        get throws { try #require(manager.homes.first) }
    }

    func characteristic(_ type: String) throws -> HMCharacteristic {
        let services = try home.accessories.flatMap(\.services)
        return try #require(services.flatMap(\.characteristics).first { $0.characteristicType == type })
    }

    func value(_ type: String) throws -> Any? { try characteristic(type).value }
}

/// Records values and reachability as the delegates receive them.
private final class ValueRecorder: NSObject, HMAccessoryDelegate {
    private let recorded = Mutex<[String]>([])
    var values: [String] { recorded.withLock(\.self) }

    init(_ simulator: HomeSimulator) async throws {
        super.init()
        for accessory in try simulator.home.accessories {
            accessory.delegate = self
            for characteristic in accessory.services.flatMap(\.characteristics)
            where characteristic.properties.contains(HMCharacteristicPropertySupportsEventNotification) {
                try await characteristic.enableNotification(true)
            }
        }
    }

    func accessory(_ accessory: HMAccessory, service: HMService, didUpdateValueFor characteristic: HMCharacteristic) {
        recorded.withLock { $0.append("\(characteristic.localizedDescription): \(characteristic.value ?? "nil")") }
    }

    func accessoryDidUpdateReachability(_ accessory: HMAccessory) {
        recorded.withLock { $0.append("reachable: \(accessory.isReachable)") }
    }
}

/// Reads a value when an accessory is reachable again, as apps do.
private final class ReadingDelegate: NSObject, HMAccessoryDelegate {
    private let count = Mutex(0)
    private let power: HMCharacteristic
    var readCount: Int { count.withLock(\.self) }

    init(_ simulator: HomeSimulator) throws {
        power = try simulator.characteristic(HMCharacteristicTypePowerState)
        super.init()
        try simulator.home.accessories.first?.delegate = self
    }

    func accessoryDidUpdateReachability(_ accessory: HMAccessory) {
        guard accessory.isReachable else { return }
        power.readValue { [weak self] error in
            if error == nil { self?.count.withLock { $0 += 1 } }
        }
    }
}
