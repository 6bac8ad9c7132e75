import Foundation
import HomeKit

/// The screen with the name, the room, the model and the firmware of a door or a light.
@MainActor
public struct AccessoryDetail {
    private let store: HomeStore
    private let service: HMService

    /// Creates the screen of a door or a light.
    public init(_ service: HMService, in store: HomeStore) {
        self.store = store
        self.service = service
    }

    /// Whether the accessory was not removed.
    public var isPresent: Bool { service.accessory != nil }
    /// The name of the door or the light.
    public var name: String { service.name }

    /// The labels and values of the screen.
    public var rows: [(label: String, value: String)] {
        let accessory = service.accessory
        return [
            (AppText.name, service.name),
            (AppText.room, accessory?.room?.name ?? AppText.unknown),
            (AppText.model, accessory?.model ?? AppText.unknown),
            (AppText.firmware, accessory?.firmwareVersion ?? AppText.unknown),
        ]
    }

    /// The names of the rooms of the home.
    public var rooms: [String] { store.home?.rooms.map(\.name) ?? [] }

    /// The names of what is removed together with this, such as the light in a garage door.
    public var siblings: [String] {
        let others = service.accessory?.services.filter { $0.isUserInteractive && $0 !== service }
        return others?.map(\.name) ?? []
    }

    /// Renames the door or the light in the home.
    public func rename(to name: String) async throws(AppError) {
        try await AppError.describing(AppText.notRenamed(service.name)) { try await service.updateName(name) }
        store.notifyObservers()
    }

    /// Moves the accessory to the room with a name, and first adds the room if the home does not have it.
    public func move(toRoom name: String) async throws(AppError) {
        guard let home = store.home, let accessory = service.accessory else { return }
        let rooms = home.rooms + [home.roomForEntireHome()]
        let existing = rooms.first { $0.name.caseInsensitiveCompare(name) == .orderedSame }
        try await AppError.describing(AppText.notMoved(service.name)) {
            let room = if let existing { existing } else { try await home.addRoom(named: name) }
            try await home.assignAccessory(accessory, to: room)
        }
        store.notifyObservers()
    }

    /// Removes the accessory, and what belongs to it, from the home.
    public func remove() async throws(AppError) {
        guard let home = store.home, let accessory = service.accessory else { return }
        try await AppError.describing(AppText.notRemoved(service.name)) { try await home.removeAccessory(accessory) }
        store.reload()
    }
}
