import Foundation
import HomeKit
import Observation

/// One control on the dashboard, standing for one service of an accessory.
struct Tile: Identifiable, Equatable, Sendable {
    let id: UUID
    var name: String
    var room: String
    var state: String
}

/// Characteristic types that Kilgo defines itself.
enum KilgoCharacteristicType {
    static let fadeRate = "7E536242-341C-4862-BE90-272CE15BD633"
}

@MainActor
@Observable
final class HomeModel: NSObject {
    static let manufacturer = "Kilgo Devices, Inc."
    static let defaultHomeName = "Kilgo House"

    private(set) var tiles: [Tile] = []
    private(set) var homeName = ""
    private(set) var authorizationStatus: HMHomeManagerAuthorizationStatus = []
    private(set) var lastError: String?
    private(set) var events: [String] = []

    @ObservationIgnored private let homeManager = HMHomeManager()
    @ObservationIgnored private var home: HMHome?
    @ObservationIgnored private var isCreatingHome = false

    override init() {
        super.init()
        homeManager.delegate = self
        authorizationStatus = homeManager.authorizationStatus
    }

    var isAuthorized: Bool {
        authorizationStatus.contains(.authorized)
    }

    // MARK: - Loading

    /// Chooses the home, creating one if there are none, and builds its tiles.
    func load() async {
        guard let home = await chooseHome() else {
            homeName = ""
            tiles = []
            return
        }
        self.home = home
        home.delegate = self
        homeName = home.name

        for accessory in kilgoAccessories {
            await prepare(accessory)
        }
        rebuildTiles()
        log("loaded \(home.name) with \(tiles.count) tiles")
    }

    private func chooseHome() async -> HMHome? {
        if let current = home, homeManager.homes.contains(where: { $0.uniqueIdentifier == current.uniqueIdentifier }) {
            return current
        }
        if let first = homeManager.homes.first {
            return first
        }
        guard !isCreatingHome else { return nil }
        isCreatingHome = true
        defer { isCreatingHome = false }
        do {
            let created = try await homeManager.addHome(named: Self.defaultHomeName)
            log("created home \(created.name)")
            return created
        } catch {
            report(error, while: "create home")
            return nil
        }
    }

    private func prepare(_ accessory: HMAccessory) async {
        accessory.delegate = self
        for characteristic in accessory.services.flatMap(\.characteristics) {
            if characteristic.properties.contains(HMCharacteristicPropertySupportsEventNotification),
                !characteristic.isNotificationEnabled
            {
                try? await characteristic.enableNotification(true)
            }
            if characteristic.value == nil,
                accessory.isReachable,
                characteristic.properties.contains(HMCharacteristicPropertyReadable)
            {
                try? await characteristic.readValue()
            }
        }
    }

    private var kilgoAccessories: [HMAccessory] {
        home?.accessories.filter { $0.manufacturer == Self.manufacturer } ?? []
    }

    private var kilgoServices: [HMService] {
        kilgoAccessories.flatMap { $0.services.filter(\.isUserInteractive) }
    }

    private func service(for id: Tile.ID) -> HMService? {
        kilgoServices.first { $0.uniqueIdentifier == id }
    }

    // MARK: - Tiles

    private func rebuildTiles() {
        tiles =
            kilgoServices
            .map { makeTile(for: $0) }
            .sorted { $0.name.localizedStandardCompare($1.name) == .orderedAscending }
    }

    private func makeTile(for service: HMService) -> Tile {
        Tile(
            id: service.uniqueIdentifier,
            name: service.name,
            room: service.accessory?.room?.name ?? "",
            state: stateText(for: service)
        )
    }

    private func refreshTile(_ id: Tile.ID) {
        guard let index = tiles.firstIndex(where: { $0.id == id }),
            let service = service(for: id)
        else { return }
        tiles[index] = makeTile(for: service)
    }

    private func refreshTiles(ofAccessory id: UUID) {
        guard let accessory = kilgoAccessories.first(where: { $0.uniqueIdentifier == id }) else { return }
        for service in accessory.services where service.isUserInteractive {
            refreshTile(service.uniqueIdentifier)
        }
    }

    private func stateText(for service: HMService) -> String {
        guard let accessory = service.accessory, accessory.isReachable else { return "No Response" }
        guard let value = service.displayCharacteristic?.value else { return "Unknown" }

        switch service.serviceType {
        case HMServiceTypeGarageDoorOpener:
            guard let rawValue = value as? Int,
                let state = HMCharacteristicValueDoorState(rawValue: rawValue)
            else { return "Unknown" }
            switch state {
            case .open: return "Open"
            case .closed: return "Closed"
            case .opening: return "Opening"
            case .closing: return "Closing"
            case .stopped: return "Stopped"
            @unknown default: return "Unknown"
            }
        default:
            guard let isOn = value as? Bool else { return "Unknown" }
            return isOn ? "On" : "Off"
        }
    }

    // MARK: - Control

    /// Reads the tile's primary characteristic and writes its opposite.
    func tap(_ tile: Tile) async {
        guard let service = service(for: tile.id),
            let characteristic = service.controlCharacteristic
        else { return }
        await attempt("tap \(tile.name)") {
            try await characteristic.readValue()
            switch characteristic.characteristicType {
            case HMCharacteristicTypeTargetDoorState:
                let target = (characteristic.value as? Int)
                    .flatMap(HMCharacteristicValueTargetDoorState.init(rawValue:))
                let opposite: HMCharacteristicValueTargetDoorState = target == .open ? .closed : .open
                try await characteristic.writeValue(opposite.rawValue)
            default:
                let isOn = characteristic.value as? Bool ?? false
                try await characteristic.writeValue(!isOn)
            }
        }
        refreshTile(tile.id)
    }

    func setBrightness(_ values: [Double], of tile: Tile) async {
        await slide(tile, characteristicType: HMCharacteristicTypeBrightness, through: values)
    }

    func setFadeRate(_ values: [Double], of tile: Tile) async {
        await slide(tile, characteristicType: KilgoCharacteristicType.fadeRate, through: values)
    }

    /// Writes each value of a slider while it moves, and reads once when it has come to rest.
    /// Returns the value that the accessory has settled on.
    @discardableResult
    func slide(_ tile: Tile, characteristicType: String, through values: [Double]) async -> Double? {
        guard let characteristic = service(for: tile.id)?.characteristic(ofType: characteristicType) else {
            lastError = "\(tile.name) does not have this setting."
            log("no characteristic \(characteristicType) on \(tile.name)")
            return nil
        }
        let isFloat = characteristic.metadata?.format == HMCharacteristicMetadataFormatFloat
        await attempt("slide \(tile.name)") {
            for value in values {
                let clamped = self.clamp(value, to: characteristic.metadata)
                if isFloat {
                    try await characteristic.writeValue(clamped)
                } else {
                    try await characteristic.writeValue(Int(clamped.rounded()))
                }
            }
            try await characteristic.readValue()
        }
        refreshTile(tile.id)
        return (characteristic.value as? NSNumber)?.doubleValue
    }

    private func clamp(_ value: Double, to metadata: HMCharacteristicMetadata?) -> Double {
        let minimum = metadata?.minimumValue?.doubleValue ?? 0
        let maximum = metadata?.maximumValue?.doubleValue ?? 100
        return min(max(value, minimum), maximum)
    }

    // MARK: - Editing the home

    func addAccessory() async {
        guard let home else { return }
        let error: (any Error)? = await withCheckedContinuation { continuation in
            home.addAndSetupAccessories { error in
                continuation.resume(returning: error)
            }
        }
        if let error {
            report(error, while: "add accessory")
        } else {
            log("added accessory")
        }
        await load()
    }

    func rename(_ tile: Tile, to newName: String) async {
        guard let service = service(for: tile.id) else { return }
        await attempt("rename \(tile.name) to \(newName)") {
            try await service.updateName(newName)
        }
        refreshTile(tile.id)
    }

    func move(_ tile: Tile, toRoomNamed roomName: String) async {
        guard let home, let accessory = service(for: tile.id)?.accessory else { return }
        await attempt("move \(tile.name) to \(roomName)") {
            let room: HMRoom
            if let existing = home.rooms.first(where: { $0.name == roomName }) {
                room = existing
            } else {
                room = try await home.addRoom(named: roomName)
                self.log("added room \(room.name)")
            }
            try await home.assignAccessory(accessory, to: room)
        }
        refreshTiles(ofAccessory: accessory.uniqueIdentifier)
    }

    func remove(_ tile: Tile) async {
        guard let home, let accessory = service(for: tile.id)?.accessory else { return }
        await attempt("remove \(tile.name)") {
            try await home.removeAccessory(accessory)
        }
        rebuildTiles()
    }

    // MARK: - Errors and log

    private func attempt(_ action: String, _ body: @MainActor () async throws -> Void) async {
        do {
            try await body()
            lastError = nil
            log(action)
        } catch {
            report(error, while: action)
        }
    }

    private func report(_ error: any Error, while action: String) {
        guard let homeKitError = error as? HMError else {
            lastError = error.localizedDescription
            log("\(action) failed: \(error.localizedDescription)")
            return
        }
        log("\(action) failed: HMError \(homeKitError.code.rawValue)")
        switch homeKitError.code {
        case .operationCancelled:
            lastError = nil
        case .accessoryNotReachable, .communicationFailure:
            lastError = "The accessory is not responding."
        case .operationTimedOut:
            lastError = "The accessory took too long to answer."
        case .accessoryIsBusy:
            lastError = "The accessory is busy. Try again in a moment."
        case .readOnlyCharacteristic:
            lastError = "This setting cannot be changed."
        case .writeOnlyCharacteristic:
            lastError = "This setting cannot be read."
        case .valueHigherThanMaximum:
            lastError = "The value is too high."
        case .valueLowerThanMinimum:
            lastError = "The value is too low."
        case .homeAccessNotAuthorized, .insufficientPrivileges:
            lastError = "You do not have permission to do this. Check Settings > Privacy & Security > HomeKit."
        case .objectWithSimilarNameExists, .alreadyExists:
            lastError = "That name is already in use."
        case .nameContainsProhibitedCharacters, .nameDoesNotStartWithValidCharacters,
            .nameDoesNotEndWithValidCharacters:
            lastError = "That name contains characters that cannot be used."
        default:
            lastError = homeKitError.localizedDescription
        }
    }

    private func log(_ event: String) {
        events.append(event)
    }
}

// MARK: - HMHomeManagerDelegate

extension HomeModel: HMHomeManagerDelegate {
    nonisolated func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {
        Task { @MainActor in
            log("homes updated")
            await load()
        }
    }

    nonisolated func homeManager(_ manager: HMHomeManager, didUpdate status: HMHomeManagerAuthorizationStatus) {
        Task { @MainActor in
            authorizationStatus = status
            log(status.contains(.authorized) ? "authorized" : "not authorized")
        }
    }

    nonisolated func homeManager(_ manager: HMHomeManager, didRemove home: HMHome) {
        let name = home.name
        Task { @MainActor in
            log("home removed: \(name)")
            await load()
        }
    }
}

// MARK: - HMHomeDelegate

extension HomeModel: HMHomeDelegate {
    nonisolated func homeDidUpdateName(_ home: HMHome) {
        let name = home.name
        Task { @MainActor in
            homeName = name
            log("home renamed: \(name)")
        }
    }

    nonisolated func home(_ home: HMHome, didAdd accessory: HMAccessory) {
        let name = accessory.name
        Task { @MainActor in
            log("accessory added: \(name)")
            await load()
        }
    }

    nonisolated func home(_ home: HMHome, didRemove accessory: HMAccessory) {
        let name = accessory.name
        Task { @MainActor in
            log("accessory removed: \(name)")
            rebuildTiles()
        }
    }

    nonisolated func home(_ home: HMHome, didUpdate room: HMRoom, for accessory: HMAccessory) {
        let id = accessory.uniqueIdentifier
        let text = "\(accessory.name) moved to \(room.name)"
        Task { @MainActor in
            log(text)
            refreshTiles(ofAccessory: id)
        }
    }

    nonisolated func home(_ home: HMHome, didUpdateNameFor room: HMRoom) {
        let name = room.name
        Task { @MainActor in
            log("room renamed: \(name)")
            rebuildTiles()
        }
    }

    nonisolated func home(_ home: HMHome, didEncounterError error: any Error, for accessory: HMAccessory) {
        let name = accessory.name
        Task { @MainActor in
            report(error, while: "use \(name)")
        }
    }
}

// MARK: - HMAccessoryDelegate

extension HomeModel: HMAccessoryDelegate {
    nonisolated func accessoryDidUpdateName(_ accessory: HMAccessory) {
        let id = accessory.uniqueIdentifier
        let name = accessory.name
        Task { @MainActor in
            log("accessory renamed: \(name)")
            refreshTiles(ofAccessory: id)
        }
    }

    nonisolated func accessory(_ accessory: HMAccessory, didUpdateNameFor service: HMService) {
        let id = service.uniqueIdentifier
        let name = service.name
        Task { @MainActor in
            log("service renamed: \(name)")
            refreshTile(id)
        }
    }

    nonisolated func accessoryDidUpdateServices(_ accessory: HMAccessory) {
        Task { @MainActor in
            log("services updated: \(accessory.name)")
            await prepare(accessory)
            rebuildTiles()
        }
    }

    nonisolated func accessoryDidUpdateReachability(_ accessory: HMAccessory) {
        let id = accessory.uniqueIdentifier
        let text = "\(accessory.name) \(accessory.isReachable ? "reachable" : "not reachable")"
        Task { @MainActor in
            log(text)
            refreshTiles(ofAccessory: id)
        }
    }

    nonisolated func accessory(
        _ accessory: HMAccessory,
        service: HMService,
        didUpdateValueFor characteristic: HMCharacteristic
    ) {
        let id = service.uniqueIdentifier
        let value = characteristic.value.map { "\($0)" } ?? "nil"
        let text = "\(service.name) \(characteristic.localizedDescription): \(value)"
        Task { @MainActor in
            log(text)
            refreshTile(id)
        }
    }
}

// MARK: - Services

private extension HMService {
    func characteristic(ofType type: String) -> HMCharacteristic? {
        characteristics.first { $0.characteristicType == type }
    }

    /// The characteristic that a tap changes.
    var controlCharacteristic: HMCharacteristic? {
        switch serviceType {
        case HMServiceTypeGarageDoorOpener: characteristic(ofType: HMCharacteristicTypeTargetDoorState)
        default: characteristic(ofType: HMCharacteristicTypePowerState)
        }
    }

    /// The characteristic that the tile shows.
    var displayCharacteristic: HMCharacteristic? {
        switch serviceType {
        case HMServiceTypeGarageDoorOpener: characteristic(ofType: HMCharacteristicTypeCurrentDoorState)
        default: characteristic(ofType: HMCharacteristicTypePowerState)
        }
    }
}
