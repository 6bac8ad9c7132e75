import AccessoryModel
import HAPCore

@testable import Simulation

/// A Kilgo garage that was never started, with its names.
enum ScenarioServers {
    static func names(_ servers: Int = 1) throws -> SimulationNames {
        let servers = try (1...servers)
            .map { number in
                let garage = KilgoGarage.accessory(number: number)
                return try NamedServer(id: number - 1, name: garage.key, unstarted: [garage])
            }
        return SimulationNames(servers)
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
            values: names.servers[0].name == "Doorbell" ? [:] : [try characteristicID("Current Door State"): 1],
            startedAt: .zero
        )
    }

    /// Returns a server with one accessory that has these services.
    static func server(_ name: String, id: Int = 0, _ services: [Service]) throws -> NamedServer {
        let information = Service.accessoryInformation(
            name: name,
            manufacturer: "Kilgo Devices, Inc.",
            model: "KD-1",
            serialNumber: "KD1-0001",
            firmware: "1.0.0"
        )
        let accessory = Accessory(key: name, services: [information] + services, aid: .primary)
        return try NamedServer(id: id, name: name, unstarted: [accessory])
    }

    /// Returns a doorbell that was never pressed.
    static func doorbell() throws -> SimulationNames {
        SimulationNames([
            try server(
                "Doorbell",
                [
                    Service(
                        .doorbell,
                        characteristics: [Characteristic(cataloged: .programmableSwitchEvent)],
                        behavior: Doorbell()
                    )
                ]
            )
        ])
    }

    static let becomesOpen = ScenarioExpectation(
        .value(SimulationTarget("Current Door State"), .equals("Open")),
        within: .seconds(15)
    )
}
