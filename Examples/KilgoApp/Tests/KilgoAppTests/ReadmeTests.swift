import HomeKitTesting
import KilgoApp
import Testing

// The test in the README of the package.

@MainActor
@Test(.homeSimulator(.gallery("garage")))
func doorOpens() async throws {
    let simulator = try HomeSimulator.current
    let app = TileList(HomeStore(manager: simulator.manager))
    try await simulator.settle()
    await app.tap(app.tiles[0].id)
    try await simulator.advance(by: .seconds(12))
    #expect(app.tiles[0].state == "Open")
}
