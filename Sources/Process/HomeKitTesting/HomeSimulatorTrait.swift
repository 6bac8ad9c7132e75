internal import Foundation
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
    private let id = UUID()
    let sources: [AccessorySource]
    let isPaired: Bool

    init(_ sources: [AccessorySource], isPaired: Bool) { (self.sources, self.isPaired) = (sources, isPaired) }

    /// Tests inherit the trait of their suite.
    public var isRecursive: Bool { true }

    /// Runs a test with a simulator.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        // The trait of a test replaces that of its suite.
        let last = test.traits.lazy.compactMap { $0 as? HomeSimulatorTrait }.last
        guard testCase != nil, last.map({ $0.id == id }) ?? true else { return try await function() }
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
        _ sources: AccessorySource...,
        isPaired: Bool = true
    ) -> HomeSimulatorTrait {
        HomeSimulatorTrait(sources, isPaired: isPaired)
    }
}

extension HomeSimulator {
    @TaskLocal static var running: HomeSimulator?

    /// The simulator of the running test.
    ///
    /// - Throws: `HomeSimulatorError` if the test does not have the trait.
    public static var current: HomeSimulator {
        get throws {
            if let running { return running }
            throw HomeSimulatorError(
                "This test has no simulator. Add the trait .homeSimulator() to the test or its suite, or create a "
                    + "HomeSimulator."
            )
        }
    }
}
