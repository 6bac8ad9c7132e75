import HomeKit
import HomeKitTesting
import KilgoApp
import Testing

/// Tests of the settings of the door and the light.
@MainActor
@Suite(.homeSimulator())
struct SettingsTests {
    @Test func doorHasItsSettingsInOrder() async throws {
        let app = try await KilgoFixture()
        let settings = try app.settings(try app.door).settings
        #expect(settings.map(\.label) == ["Door", "Door State", "Obstructed", "Lock", "Lock State"])
        #expect(settings.map(\.text) == ["Closed", "Closed", "No", "Unlocked", "Unlocked"])
    }

    @Test func lightHasItsSettingsInOrderWithTheFadeRateLast() async throws {
        let app = try await KilgoFixture()
        let settings = try app.settings(try app.light).settings
        #expect(settings.map(\.label) == ["Power", "Brightness", "Hue", "Saturation", "Fade Rate"])
        #expect(settings.map(\.text) == ["Off", "100%", "0°", "0%", "1 s"])
    }

    @Test func controlFollowsFromFormatLimitsAndStep() async throws {
        let app = try await KilgoFixture()
        let light = try app.settings(try app.light)
        #expect(light.settings.first?.control == .toggle)
        #expect(try light.setting("Brightness").control == .slider(0...100, step: 1))
        #expect(try light.setting("Fade Rate").control == .slider(0...10, step: 0.5))
        let door = try app.settings(try app.door)
        #expect(try door.setting("Door State").control == .none)
        guard case .segments(let segments) = try door.setting("Door").control else {
            Issue.record("The door has two positions.")
            return
        }
        #expect(segments.map(\.title) == ["Open", "Closed"] && segments.map(\.value) == [0, 1])
    }

    @Test(arguments: [
        ("Brightness", 40.0, "40%"), ("Hue", 120, "120°"), ("Saturation", 55, "55%"), ("Fade Rate", 2.5, "2.5 s"),
    ])
    func valueIsWritten(label: String, value: Double, text: String) async throws {
        let app = try await KilgoFixture()
        let settings = try app.settings(try app.light)
        await settings.set(try settings.setting(label).id, to: value)
        #expect(settings.failure == nil)
        #expect(try settings.setting(label).text == text)
        let name = label == "Fade Rate" ? "Fade Rate" : "Garage Light/\(label)"
        #expect(try await app.perform("show \(name)").contains(value == 2.5 ? "2.5" : "\(Int(value))"))
    }

    @Test func powerIsSwitched() async throws {
        let app = try await KilgoFixture()
        let settings = try app.settings(try app.light)
        await settings.set(try settings.setting("Power").id, to: 1)
        #expect(try app.light.state == "On")
    }

    @Test func doorIsMovedBySegments() async throws {
        let app = try await KilgoFixture()
        let settings = try app.settings(try app.door)
        await settings.set(try settings.setting("Door").id, to: 0)
        try await app.advance(12)
        #expect(try settings.setting("Door State").text == "Open")
    }

    @Test func lockTakesASecond() async throws {
        let app = try await KilgoFixture()
        let settings = try app.settings(try app.door)
        await settings.set(try settings.setting("Lock").id, to: 1)
        #expect(try settings.setting("Lock State").text == "Unlocked")
        try await app.advance(1)
        #expect(try settings.setting("Lock State").text == "Locked")
    }

    @Test func sliderShowsItsPositionAndWritesTheLastOne() async throws {
        let app = try await KilgoFixture()
        let settings = try app.settings(try app.light)
        let id = try settings.setting("Brightness").id
        for position in stride(from: 100.0, through: 30, by: -1) {
            settings.slide(id, to: position)
            #expect(try settings.setting("Brightness").value == position)
        }
        await settings.endSliding(id)
        #expect(try settings.setting("Brightness").text == "30%")
        #expect(try await app.perform("show Garage Light/Brightness").contains("30"))
    }

    @Test func sliderOmitsPositionsWhileAWriteIsSent() async throws {
        let app = try await KilgoFixture()
        let settings = try app.settings(try app.light)
        let id = try settings.setting("Brightness").id
        let other = try await app.simulator.makeManagerOfAnotherApp()
        let counter = try await BrightnessCounter(other)
        for position in stride(from: 99.0, through: 30, by: -1) { settings.slide(id, to: position) }
        await settings.endSliding(id)
        try await app.simulator.settle()
        let deadline = ContinuousClock.now + .seconds(10)
        while counter.values.last != 30, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(5)) }
        #expect(counter.values.last == 30 && counter.values.count < 10, "\(counter.values)")
    }

    @Test func sliderStaysWithinItsLimitsAndOnItsSteps() async throws {
        let app = try await KilgoFixture()
        let settings = try app.settings(try app.light)
        let id = try settings.setting("Fade Rate").id
        settings.slide(id, to: 3.7)
        #expect(try settings.setting("Fade Rate").value == 3.5)
        settings.slide(id, to: 99)
        #expect(try settings.setting("Fade Rate").value == 10)
        await settings.endSliding(id)
        #expect(try settings.setting("Fade Rate").text == "10 s")
    }

    @Test func releasedSliderShowsTheAccessorysValue() async throws {
        let app = try await KilgoFixture()
        let settings = try app.settings(try app.light)
        let id = try settings.setting("Brightness").id
        try await app.perform("fault status on Garage Light/Brightness requests=writes")
        settings.slide(id, to: 20)
        await settings.endSliding(id)
        #expect(settings.failure == "Update error!")
        #expect(try settings.setting("Brightness").text == "100%")
    }

    @Test func changesOfOthersAreShown() async throws {
        let app = try await KilgoFixture()
        let settings = try app.settings(try app.light)
        try await app.perform("set Fade Rate to 4")
        #expect(try settings.setting("Fade Rate").text == "4 s")
    }

    @Test func obstructionIsShown() async throws {
        let app = try await KilgoFixture()
        let settings = try app.settings(try app.door)
        try await app.perform("set Target Door State to Open")
        try await app.advance(12)
        try await app.perform("set Target Door State to Closed")
        try await app.advance(3)
        try await app.perform("obstruct Garage Door")
        #expect(try settings.setting("Obstructed").text == "Yes")
    }

    @Test func fadeRateDelaysTheLampButNotItsValue() async throws {
        let app = try await KilgoFixture()
        let settings = try app.settings(try app.light)
        await settings.set(try settings.setting("Fade Rate").id, to: 10)
        await app.list.tap(try app.light.id)
        #expect(try app.light.state == "On")
        try await app.advance(5)
        let output = try await app.perform("show Garage Light")
        #expect(output.contains("50 %"), "\(output)")
    }
}

/// Records the values of the brightness that another app receives.
@MainActor
private final class BrightnessCounter: NSObject, HMAccessoryDelegate {
    private(set) var values: [Int] = []

    init(_ manager: HMHomeManager) async throws {
        super.init()
        let accessory = try #require(manager.homes.first?.accessories.first)
        accessory.delegate = self
        let brightness = accessory.services.flatMap(\.characteristics)
            .first { $0.characteristicType == HMCharacteristicTypeBrightness }
        try await brightness?.enableNotification(true)
    }

    nonisolated func accessory(
        _ accessory: HMAccessory,
        service: HMService,
        didUpdateValueFor characteristic: HMCharacteristic
    ) {
        MainActor.assumeIsolated { values.append(characteristic.value as? Int ?? -1) }
    }
}
