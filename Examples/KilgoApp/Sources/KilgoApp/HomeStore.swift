import Foundation
import HomeKit

/// A screen that redraws when the home changes.
@MainActor
public protocol HomeStoreObserver: AnyObject {
    /// The home, an accessory or a value has changed.
    func homeStoreDidUpdate(_ store: HomeStore)
}

/// Owns the home manager, and is the delegate of all homes and accessories.
@MainActor
public final class HomeStore: NSObject {
    /// The app shows only the accessories of this manufacturer.
    public static let manufacturer = "Kilgo Devices, Inc."

    /// Whether the homes are loaded; until then, ``home`` is `nil`.
    public private(set) var isLoaded = false
    /// The home that the app shows, or `nil` if the user has none.
    public private(set) var home: HMHome?

    private let manager: HMHomeManager
    private var observers: [WeakObserver] = []

    private struct WeakObserver {
        weak var observer: (any HomeStoreObserver)?
    }

    /// Creates a store that loads the homes in the background.
    public init(manager: HMHomeManager = HMHomeManager()) {
        self.manager = manager
        super.init()
        manager.delegate = self
    }

    /// Whether the user permits the app to use the homes.
    public var isAuthorized: Bool { manager.authorizationStatus.contains(.authorized) }

    /// The accessories of the manufacturer.
    public var accessories: [HMAccessory] {
        home?.accessories.filter { $0.manufacturer == Self.manufacturer } ?? []
    }

    /// The services that users see and control; users call them accessories.
    public var services: [HMService] { accessories.flatMap { $0.services.filter(\.isUserInteractive) } }

    // MARK: Observers

    /// Adds an observer, which the store does not retain.
    public func addObserver(_ observer: any HomeStoreObserver) {
        observers.append(WeakObserver(observer: observer))
    }

    /// Notifies the observers; HomeKit reports only the changes of other apps, so screens call this after their own.
    public func notifyObservers() {
        observers.removeAll { $0.observer == nil }
        for entry in observers { entry.observer?.homeStoreDidUpdate(self) }
    }

    // MARK: Loading

    /// Chooses the home, and enables the notifications of its accessories.
    public func reload() {
        home = manager.primaryHome ?? manager.homes.first
        for home in manager.homes {
            home.delegate = self
            // Also those whose manufacturer is not known yet.
            for accessory in home.accessories { accessory.delegate = self }
        }
        for characteristic in accessories.flatMap(\.services).flatMap(\.characteristics)
        where characteristic.properties.contains(HMCharacteristicPropertySupportsEventNotification) {
            // Fails if they are enabled already, or if the accessory is unreachable until the next reload.
            characteristic.enableNotification(true) { _ in }
        }
        notifyObservers()
    }

    // MARK: Adding

    /// Adds a home, which is shown if it is the first one.
    public func addHome(named name: String) async throws(AppError) {
        try await AppError.describing(AppText.notAdded(name)) { _ = try await manager.addHome(named: name) }
        reload()
    }

    /// Asks the user for an accessory and adds it to the home.
    public func addAccessory() async throws(AppError) {
        guard let home else { throw AppError(errorDescription: AppText.notAddedWithoutHome) }
        try await AppError.describing(AppText.notAdded) { try await home.addAndSetUpAccessories() }
        reload()
    }
}

// HomeKit calls its delegates on the main queue.

extension HomeStore: HMHomeManagerDelegate {
    /// Reloads the homes.
    public nonisolated func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {
        MainActor.assumeIsolated {
            isLoaded = true
            reload()
        }
    }

    /// Shows the other home.
    public nonisolated func homeManagerDidUpdatePrimaryHome(_ manager: HMHomeManager) { reloadNow() }
    /// Shows the home if it is the first one.
    public nonisolated func homeManager(_ manager: HMHomeManager, didAdd home: HMHome) { reloadNow() }
    /// Shows another home.
    public nonisolated func homeManager(_ manager: HMHomeManager, didRemove home: HMHome) { reloadNow() }
    /// Shows the homes, or that they may not be used.
    public nonisolated func homeManager(_ manager: HMHomeManager, didUpdate status: HMHomeManagerAuthorizationStatus) {
        redraw()
    }

    fileprivate nonisolated func reloadNow() { MainActor.assumeIsolated { reload() } }
    fileprivate nonisolated func redraw() { MainActor.assumeIsolated { notifyObservers() } }
}

extension HomeStore: HMHomeDelegate {
    /// Shows the new name.
    public nonisolated func homeDidUpdateName(_ home: HMHome) { redraw() }
    /// Shows the accessory.
    public nonisolated func home(_ home: HMHome, didAdd accessory: HMAccessory) { reloadNow() }
    /// Shows the accessory no longer.
    public nonisolated func home(_ home: HMHome, didRemove accessory: HMAccessory) { reloadNow() }
    /// Shows the room.
    public nonisolated func home(_ home: HMHome, didUpdate room: HMRoom, for accessory: HMAccessory) { redraw() }
    /// Shows the new name.
    public nonisolated func home(_ home: HMHome, didUpdateNameFor room: HMRoom) { redraw() }
}

extension HomeStore: HMAccessoryDelegate {
    /// Shows whether the accessory can be reached, and enables its notifications again.
    public nonisolated func accessoryDidUpdateReachability(_ accessory: HMAccessory) { reloadNow() }
    /// Shows the changed services.
    public nonisolated func accessoryDidUpdateServices(_ accessory: HMAccessory) { reloadNow() }
    /// Shows the new name.
    public nonisolated func accessory(_ accessory: HMAccessory, didUpdateNameFor service: HMService) { redraw() }
    /// Shows the new version.
    public nonisolated func accessory(_ accessory: HMAccessory, didUpdateFirmwareVersion version: String) { redraw() }
    /// Shows the new value.
    public nonisolated func accessory(
        _ accessory: HMAccessory,
        service: HMService,
        didUpdateValueFor characteristic: HMCharacteristic
    ) {
        redraw()
    }
}
