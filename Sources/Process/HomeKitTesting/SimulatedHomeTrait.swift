public import HomeKitSimulator
public import Testing

/// A trait of Swift Testing that starts simulated accessories for a test.
///
/// ```swift
/// @Test(.homeSimulator(.gallery("garage")))
/// func doorOpens() async throws {
///     let app = GarageApp(try HomeSimulator.current.manager)
/// }
/// ```
///
/// Each test, and each argument of a parameterized test, has accessories of its own, also if a suite has the trait.
public struct HomeSimulatorTrait: TestTrait, SuiteTrait, TestScoping {
    let sources: [SimulatedAccessories]
    let isPaired: Bool

    /// Tests inherit the trait of their suite.
    public var isRecursive: Bool { true }

    /// Runs a test with a simulator.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        let simulator = try await HomeSimulator(sources, isPaired: isPaired)
        do {
            try await HomeSimulator.$running.withValue(simulator) { try await function() }
        } catch {
            await simulator.close()
            throw error
        }
        await simulator.close()
    }
}

extension Trait where Self == HomeSimulatorTrait {
    /// Starts accessories for a test, which finds them as ``HomeKitSimulator/HomeSimulator/current``.
    ///
    /// - Parameters:
    ///   - sources: The accessories; without any, the Kilgo garage.
    ///   - isPaired: Whether the accessories are in a home.
    public static func homeSimulator(
        _ sources: SimulatedAccessories...,
        isPaired: Bool = true
    ) -> HomeSimulatorTrait {
        HomeSimulatorTrait(sources: sources, isPaired: isPaired)
    }
}

extension HomeSimulator {
    @TaskLocal static var running: HomeSimulator?

    /// The simulator of the running test.
    ///
    /// - Throws: ``NoSimulatorError`` if the test does not have the trait.
    public static var current: HomeSimulator {
        get throws {
            guard let running else { throw NoSimulatorError() }
            return running
        }
    }
}

/// The error of ``HomeKitSimulator/HomeSimulator/current`` in a test without ``HomeSimulatorTrait``.
public struct NoSimulatorError: Error, CustomStringConvertible {
    /// What to do.
    public var description: String {
        "This test has no simulator: add the trait .homeSimulator() to the test or its suite, or create a HomeSimulator."
    }
}
