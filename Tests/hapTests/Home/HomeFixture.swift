import Foundation
import TestSupport
import Testing

/// A stored home with a garage and a heater that are not found yet, and the commands that change it.
final class HomeFixture: Sendable {
    /// The home as a home file.
    static let file = """
        home: Test House
        place: { latitude: 50.11, longitude: 8.68 }
        timeZone: Europe/Berlin
        rooms: [Garage, Hall]
        zones:
          Downstairs: [Garage, Hall]
        accessories:
          - accessory: Garage Unit
            room: Garage
            services:
              GarageDoorOpener: Garage Door
              Lightbulb: Garage Light
          - accessory: Boiler
            room: Hall
            services:
              Thermostat: Heater
        groups:
          Warm Things: [Heater]
        scenes:
          Movie Time:
            - { set: Garage Light/On, to: false }
        users:
          Ada: owner

        """

    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Creates a fixture that contains the home.
    static func makeWithHome() async throws -> HomeFixture {
        let harness = try HomeFixture()
        let outcome = try await harness("import", try harness.folder.write(file, to: "home.yaml"))
        #expect(outcome.status == 0, "\(outcome)")
        return harness
    }

    /// Runs `hap home` with these arguments.
    func callAsFunction(_ arguments: String...) async throws -> HapCommand.Outcome {
        try await run(arguments)
    }

    /// Runs `hap home` with these arguments.
    func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> HapCommand.Outcome {
        try await HapCommand(["home"] + arguments + ["--state", folder("state")], environment: environment).outcome()
    }
}
