import HomeKit
import HomeKitSimulator

/// A simulated garage in this process, and the home manager that uses it.
struct SimulatedGarage {
    private let simulator: HomeSimulator

    init(_ sheet: SetupSheet) async throws {
        simulator = try await HomeSimulator(.gallery("garage"), isPaired: false)
        simulator.setupAnswer = { await sheet.answer($0) }
    }

    var manager: HMHomeManager { simulator.manager }

    /// The setup code, which a real accessory shows on a label.
    var setupCode: String? {
        get async { await simulator.accessories.first { !$0.isPaired }?.setupCode }
    }

    /// Runs a command of the simulator, such as "obstruct Garage Door", and returns its answer.
    func perform(_ command: String) async throws -> String { try await simulator.perform(command) }
}
