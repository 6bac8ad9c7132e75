import HomeKit
import HomeKitTesting
import Testing

/// Tests of the trait: each test has a simulator of its own.
@Suite(.homeSimulator()) struct HomeSimulatorTraitTests {
    @Test(arguments: [0, 1, 2])
    func eachArgumentHasItsOwnSimulator(number: Int) async throws {
        let simulator = try HomeSimulator.current
        #expect(simulator.manager.homes.first?.name == "Home")
        try await simulator.manager.homes.first?.updateName("Home \(number)")
    }

    @Test(.homeSimulator(.gallery("lock"), isPaired: false))
    func traitOfTheTestReplacesThatOfTheSuite() async throws {
        let simulator = try HomeSimulator.current
        #expect(simulator.manager.homes.isEmpty)
        #expect(await simulator.accessories.map(\.name) == ["Front Door"])
    }
}

@Test func withoutTraitTheErrorSaysHowToAddIt() {
    #expect { try HomeSimulator.current } throws: { "\($0)".contains(".homeSimulator()") }
}
