import HomeKit
import HomeKitSimulator
import Testing

extension HomeSimulator {
    var home: HMHome {
        get throws { try #require(manager.homes.first) }
    }

    func characteristic(_ type: String) throws -> HMCharacteristic {
        let services = try home.accessories.flatMap(\.services)
        return try #require(services.flatMap(\.characteristics).first { $0.characteristicType == type })
    }

    func value(_ type: String) throws -> Any? { try characteristic(type).value }
}

/// Returns the text of the error that a function throws, or an empty string.
func message(_ body: () async throws -> Void) async -> String {
    do {
        try await body()
        return ""
    } catch {
        return String(describing: error)
    }
}
