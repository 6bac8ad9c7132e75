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
}
