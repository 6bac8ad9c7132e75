import AccessoryModel
import ControllerTestSupport
import Discovery
import HAPController
import HAPCore
import HAPServer
import HostTestSupport
import Hosting
import TestSupport
import Testing

@testable import Simulation

/// Kilgo garages in this process, all paired with one controller.
struct ScenarioBench: Sendable {
    let host: AccessoryHost
    let mailbox = ScenarioEventMailbox()
    let garages: [PairedAccessory]

    /// Serves a number of garages while `body` runs; their time only moves when it is advanced.
    static func run(_ count: Int = 1, body: (ScenarioBench) async throws -> Void) async throws {
        let controller = try await Controller.open(
            store: InMemoryControllerStore(),
            configuration: .patient,
            resolver: nil
        )
        let host = try await AccessoryHost.garages(count)
        do {
            var garages: [PairedAccessory] = []
            for server in host.servers {
                let target = AccessoryTarget.address(host: "127.0.0.1", port: server.information.port)
                garages.append(try await controller.pair(target, with: .code(Fixture.setupCode), as: server.key))
            }
            try await body(ScenarioBench(host: host, garages: garages))
        } catch {
            await controller.close()
            await host.stop()
            throw error
        }
        await controller.close()
        await host.stop()
    }

    /// Runs steps to their end; effects that they have started continue afterwards.
    @discardableResult
    func perform(_ steps: ScenarioStep...) async throws -> ScenarioResult {
        let (plan, errors) = ScenarioPlan.make(of: Scenario(name: "Test", steps: steps), with: host.names)
        #expect(errors.isEmpty)
        let result = await ScenarioRunner(plan, on: host, mailbox: mailbox, isFast: true) { _, _ in }.run()
        #expect(result.isPassed, "\(result)")
        return result
    }

    /// Reads a characteristic of one of the garages with the controller, and returns the status.
    func status(_ name: SimulationTarget, of garage: Int = 0) async throws -> Int64? {
        let server = host.names.serverNames[garage]
        let target = SimulationTarget(garages.count > 1 ? "\(server)/\(name)" : name.text)
        let id = try host.names.characteristic(target).place.id
        return try await garages[garage].read([id]).first?.code
    }
}

extension ControllerConfiguration {
    /// A configuration with long timeouts, for busy machines.
    static var patient: ControllerConfiguration {
        var configuration = ControllerConfiguration()
        configuration.connectionTime = .seconds(60)
        configuration.pairVerifyTime = .seconds(60)
        configuration.requestTime = .seconds(60)
        return configuration
    }
}
