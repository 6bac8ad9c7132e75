import HomeKit
import HomeKitSimulator
import Synchronization
import TestSupport
import Testing

/// Tests of time, actions and faults, and of what the app has received afterwards.
@Suite struct HomeSimulatorActionTests {
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
