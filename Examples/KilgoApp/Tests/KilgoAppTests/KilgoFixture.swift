import HomeKit
import HomeKitTesting
import KilgoApp
import Testing

/// The app, with the simulated accessories of the running test.
@MainActor
struct KilgoFixture {
    let simulator: HomeSimulator
    let store: HomeStore
    let list: TileList

    init() async throws {
        simulator = try HomeSimulator.current
        store = HomeStore(manager: simulator.manager)
        list = TileList(store)
        try await simulator.settle()
    }

    var door: Tile {
        get throws { try #require(list.tiles.first) }
    }

    var light: Tile {
        get throws { try #require(list.tiles.last) }
    }

    func detail(_ tile: Tile) throws -> AccessoryDetail { AccessoryDetail(try service(tile), in: store) }

    func settings(_ tile: Tile) throws -> AccessorySettings { AccessorySettings(try service(tile), in: store) }

    private func service(_ tile: Tile) throws -> HMService {
        try #require(store.services.first { $0.uniqueIdentifier == tile.id })
    }

    /// Lets seconds pass on the accessories' clock.
    func advance(_ seconds: Int) async throws { try await simulator.advance(by: .seconds(seconds)) }

    /// Performs an action of a person, another controller or the network.
    @discardableResult
    func perform(_ action: String) async throws -> String { try await simulator.perform(action) }
}

extension AccessorySettings {
    func setting(_ label: String) throws -> Setting { try #require(settings.first { $0.label == label }) }
}

/// Returns the message of an action's error, or an empty string if it succeeds.
@MainActor
func failure(_ action: @MainActor () async throws -> Void) async -> String {
    do {
        try await action()
        return ""
    } catch {
        return error.localizedDescription
    }
}
