import AccessoryModel
import HAPCore

@testable import Simulation

/// A Kilgo garage that was never started, with its names.
enum ScenarioServers {
    static func names(_ servers: Int = 1) throws -> SimulationNames {
        let garages = (1...servers).map { KilgoGarage.accessory(number: $0) }
        return try SimulationNames(unstarted: garages.map { ($0.key, [$0], false) })
    }

    static func characteristicID(_ text: String) throws -> ServerCharacteristicID {
        try names().characteristic(SimulationTarget(text)).place
    }

    static func instant(_ seconds: Double) -> MonotonicInstant {
        MonotonicInstant.zero.advanced(by: .seconds(seconds))
    }

    /// Returns a machine that runs steps on the garage, whose door is closed.
    static func machine(_ steps: [ScenarioStep], _ names: SimulationNames? = nil) throws -> ScenarioMachine {
        let names = try names ?? self.names()
        let (plan, errors) = ScenarioPlan.make(of: Scenario(name: "Test", steps: steps), with: names)
        guard errors.isEmpty else { throw errors[0] }
        return ScenarioMachine(
            plan,
            values: names.serverNames == ["Doorbell"] ? [:] : [try characteristicID("Current Door State"): 1],
            startedAt: .zero
        )
    }

    /// Returns one accessory for each list of services, on a server of its own.
    static func names(_ name: String, _ services: [Service]...) throws -> SimulationNames {
        let information = Service.accessoryInformation(
            name: name,
            manufacturer: "Kilgo Devices, Inc.",
            model: "KD-1",
            serialNumber: "KD1-0001",
            firmware: "1.0.0"
        )
        return try SimulationNames(
            unstarted: services.map { services in
                (name, [Accessory(key: name, services: [information] + services, aid: .primary)], false)
            }
        )
    }

    /// Returns a doorbell that was never pressed.
    static func doorbell() throws -> SimulationNames {
        try names(
            "Doorbell",
            [
                Service(
                    .doorbell,
                    characteristics: [Characteristic(cataloged: .programmableSwitchEvent)],
                    behavior: Doorbell()
                )
            ]
        )
    }

    static let becomesOpen = ScenarioExpectation(
        .value(SimulationTarget("Current Door State"), .equals("Open")),
        within: .seconds(15)
    )
}
