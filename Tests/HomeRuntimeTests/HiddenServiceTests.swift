import AccessoryModel
import HAPCore
import HAPServer
import HomeRuntime
import Testing

@testable import HomeModel

@Suite("Hidden services in a running home")
struct HiddenServiceTests {
    @Test("trigger an automation that refers to them", arguments: BackendKind.allCases)
    func hiddenServicesTriggerAutomations(on kind: BackendKind) async throws {
        try await BackendFixture.run(kind) { home in
            let selector = try home.selector("Outside", .currentTemperature)
            try home.automate(
                "Hot",
                when: .characteristic(selector, .above(25)),
                [home.action("Reading Lamp", .on, true)]
            )
            for accessory in home.accessories.indices {
                for service in home.accessories[accessory].services.indices
                where home.accessories[accessory].services[service].id == selector.service {
                    home.accessories[accessory].services[service].isHidden = true
                }
            }
        } body: { simulation in
            let home = await simulation.runner.home
            guard case .characteristic(let selector, _)? = home.automations.first?.triggers.first else { return }
            let reference = try #require(home.reference(of: selector))
            #expect(await simulation.sensor.set(26, for: reference.id))
            try await simulation.recorder.wait(forRuns: 1)
            #expect(try await simulation.value("Reading Lamp", .on) == true)
        }
    }
}
