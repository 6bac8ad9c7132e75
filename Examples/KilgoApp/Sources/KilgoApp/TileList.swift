import Foundation
import HomeKit

/// A door or a light on the first screen.
public struct Tile: Identifiable, Hashable, Sendable {
    /// The identifier of the service.
    public let id: UUID
    /// The name that the user has chosen.
    public let name: String
    /// The room, or an empty string if it is not known.
    public let room: String
    /// The state in words, such as "Closed".
    public let state: String
    /// Whether a tap has an effect.
    public let isReachable: Bool
}

/// The first screen: a tile for each door and light.
@MainActor
public final class TileList: HomeStoreObserver {
    private let store: HomeStore
    /// The states that tiles had when a write failed, until the state changes or the next tap.
    private var failures: [Tile.ID: String] = [:]

    /// Creates the screen.
    public init(_ store: HomeStore) {
        self.store = store
        store.addObserver(self)
    }

    /// Forgets failures of tiles that have changed.
    public func homeStoreDidUpdate(_ store: HomeStore) {
        for service in store.services where failures[service.uniqueIdentifier] != state(of: service) {
            failures[service.uniqueIdentifier] = nil
        }
    }

    /// The title of the screen: the name of the home.
    public var title: String { store.home?.name ?? AppText.appName }

    /// The tiles, in the order in which their accessories were added.
    public var tiles: [Tile] {
        store.services.map { service in
            let state = state(of: service)
            return Tile(
                id: service.uniqueIdentifier,
                name: service.name,
                room: service.accessory?.room?.name ?? "",
                state: failures[service.uniqueIdentifier] == nil ? state : AppText.updateError,
                isReachable: service.accessory?.isReachable ?? false
            )
        }
    }

    /// The reason why no tile is shown, and what to do; `nil` if tiles are shown.
    public var emptyText: String? {
        if !store.isAuthorized { return AppText.notAuthorized }
        if !store.isLoaded { return AppText.loading }
        if store.home == nil { return AppText.noHome }
        return store.services.isEmpty ? AppText.noAccessories : nil
    }

    private func state(of service: HMService) -> String {
        guard service.accessory?.isReachable == true else { return AppText.unreachable }
        return service.shownCharacteristic.map { AppText.value(of: $0) } ?? AppText.unknown
    }

    /// Opens or closes a door, or turns a light on or off.
    public func tap(_ id: Tile.ID) async {
        guard let service = store.services.first(where: { $0.uniqueIdentifier == id }),
            let characteristic = service.controlledCharacteristic,
            // A door's 0 and 1 are also false and true.
            let value = characteristic.value as? Bool
        else { return }
        failures[id] = nil
        do {
            try await characteristic.writeValue(!value)
        } catch {
            failures[id] = state(of: service)
        }
        store.notifyObservers()
    }
}

extension HMService {
    func characteristic(_ type: String) -> HMCharacteristic? {
        characteristics.first { $0.characteristicType == type }
    }

    /// The characteristic that a tile shows.
    fileprivate var shownCharacteristic: HMCharacteristic? {
        characteristic(HMCharacteristicTypeCurrentDoorState) ?? characteristic(HMCharacteristicTypePowerState)
    }

    /// The characteristic that a tap changes.
    fileprivate var controlledCharacteristic: HMCharacteristic? {
        characteristic(HMCharacteristicTypeTargetDoorState) ?? characteristic(HMCharacteristicTypePowerState)
    }
}
