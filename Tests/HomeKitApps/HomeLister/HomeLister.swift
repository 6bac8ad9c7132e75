//
//  HomeLister.swift
//  The core of a bridge tool that exposes HomeKit to scripts.
//

import Foundation
import HomeKit

// MARK: - Errors

enum HomeListerError: LocalizedError {
    case timedOut, notAuthorized
    case accessoryNotFound(String)
    case characteristicNotFound(accessory: String, type: String)
    case notReadable(String)
    case notWritable(String)
    case invalidValue(String, expected: String)
    case sceneNotFound(String)
    case badCommand(String)

    var errorDescription: String? {
        switch self {
        case .timedOut: return "Timed out waiting for HomeKit."
        case .notAuthorized: return "Access to home data was not granted."
        case .accessoryNotFound(let name): return "No accessory named “\(name)”."
        case .characteristicNotFound(let accessory, let type): return "“\(accessory)” has no characteristic \(type)."
        case .notReadable(let type): return "\(type) is not readable."
        case .notWritable(let type): return "\(type) is not writable."
        case .invalidValue(let text, let expected): return "“\(text)” is not a valid \(expected)."
        case .sceneNotFound(let name): return "No scene named “\(name)”."
        case .badCommand(let line): return "Cannot understand “\(line)”."
        }
    }
}

// MARK: - Names of types

private let characteristicNames: [String: String] = [
    HMCharacteristicTypeName: "Name",
    HMCharacteristicTypePowerState: "PowerState",
    HMCharacteristicTypeActive: "Active",
    HMCharacteristicTypeBrightness: "Brightness",
    HMCharacteristicTypeHue: "Hue",
    HMCharacteristicTypeSaturation: "Saturation",
    HMCharacteristicTypeCurrentTemperature: "CurrentTemperature",
    HMCharacteristicTypeTargetTemperature: "TargetTemperature",
    HMCharacteristicTypeCurrentHeatingCooling: "CurrentHeatingCooling",
    HMCharacteristicTypeTargetHeatingCooling: "TargetHeatingCooling",
    HMCharacteristicTypeCurrentRelativeHumidity: "CurrentRelativeHumidity",
    HMCharacteristicTypeCurrentDoorState: "CurrentDoorState",
    HMCharacteristicTypeTargetDoorState: "TargetDoorState",
    HMCharacteristicTypeObstructionDetected: "ObstructionDetected",
    HMCharacteristicTypeCurrentLockMechanismState: "CurrentLockMechanismState",
    HMCharacteristicTypeTargetLockMechanismState: "TargetLockMechanismState",
    HMCharacteristicTypeCurrentPosition: "CurrentPosition",
    HMCharacteristicTypeTargetPosition: "TargetPosition",
    HMCharacteristicTypeMotionDetected: "MotionDetected",
    HMCharacteristicTypeContactState: "ContactState",
    HMCharacteristicTypeBatteryLevel: "BatteryLevel",
    HMCharacteristicTypeStatusLowBattery: "StatusLowBattery",
]

extension HMService {
    fileprivate var typeName: String {
        switch serviceType {
        case HMServiceTypeAccessoryInformation: return "Accessory Information"
        case HMServiceTypeLightbulb: return "Lightbulb"
        case HMServiceTypeSwitch: return "Switch"
        case HMServiceTypeOutlet: return "Outlet"
        case HMServiceTypeThermostat: return "Thermostat"
        case HMServiceTypeGarageDoorOpener: return "Garage Door Opener"
        case HMServiceTypeLockMechanism: return "Lock Mechanism"
        case HMServiceTypeFan, HMServiceTypeVentilationFan: return "Fan"
        case HMServiceTypeWindowCovering: return "Window Covering"
        case HMServiceTypeBattery: return "Battery"
        case HMServiceTypeMotionSensor: return "Motion Sensor"
        case HMServiceTypeContactSensor: return "Contact Sensor"
        case HMServiceTypeTemperatureSensor: return "Temperature Sensor"
        default: return localizedDescription
        }
    }
}

extension HMCharacteristic {
    fileprivate var typeName: String { characteristicNames[characteristicType] ?? localizedDescription }
    fileprivate var isReadable: Bool { properties.contains(HMCharacteristicPropertyReadable) }
    fileprivate var isWritable: Bool { properties.contains(HMCharacteristicPropertyWritable) }

    fileprivate var unitSymbol: String {
        switch metadata?.units {
        case HMCharacteristicMetadataUnitsCelsius: return "°C"
        case HMCharacteristicMetadataUnitsFahrenheit: return "°F"
        case HMCharacteristicMetadataUnitsPercentage: return "%"
        case HMCharacteristicMetadataUnitsArcDegree: return "°"
        case HMCharacteristicMetadataUnitsSeconds: return " s"
        case HMCharacteristicMetadataUnitsLux: return " lx"
        default: return ""
        }
    }

    fileprivate func text(for value: Any?) -> String {
        guard let value = value else { return "–" }
        if characteristicType == HMCharacteristicTypeCurrentDoorState, let raw = value as? Int,
            let state = HMCharacteristicValueDoorState(rawValue: raw)
        {
            switch state {
            case .open: return "open"
            case .closed: return "closed"
            case .opening: return "opening"
            case .closing: return "closing"
            case .stopped: return "stopped"
            @unknown default: return "\(raw)"
            }
        }
        switch metadata?.format {
        case HMCharacteristicMetadataFormatBool:
            return (value as? Bool).map { $0 ? "true" : "false" } ?? "\(value)"
        case HMCharacteristicMetadataFormatInt, HMCharacteristicMetadataFormatUInt8,
            HMCharacteristicMetadataFormatUInt16, HMCharacteristicMetadataFormatUInt32,
            HMCharacteristicMetadataFormatUInt64:
            return (value as? NSNumber).map { $0.stringValue + unitSymbol } ?? "\(value)"
        case HMCharacteristicMetadataFormatFloat:
            return (value as? NSNumber).map { String(format: "%.1f", $0.doubleValue) + unitSymbol } ?? "\(value)"
        case HMCharacteristicMetadataFormatString:
            return "\"\(value as? String ?? "\(value)")\""
        case HMCharacteristicMetadataFormatData, HMCharacteristicMetadataFormatTLV8:
            return (value as? Data).map { "<\($0.count) bytes>" } ?? "\(value)"
        default:
            return "\(value)"
        }
    }

    fileprivate var rangeText: String {
        var parts: [String] = []
        if let min = metadata?.minimumValue { parts.append("min \(min)") }
        if let max = metadata?.maximumValue { parts.append("max \(max)") }
        if let step = metadata?.stepValue { parts.append("step \(step)") }
        return parts.isEmpty ? "" : " (" + parts.joined(separator: ", ") + ")"
    }
}

// MARK: - HomeStore

@MainActor
final class HomeStore: NSObject, HMHomeManagerDelegate {
    private struct Waiter {
        let id: UUID
        let continuation: CheckedContinuation<[HMHome], Error>
    }

    private static let favoritesKey = "FavoriteAccessories"
    private let manager: HMHomeManager
    private let defaults: UserDefaults
    private var waiters: [Waiter] = []
    private var hasLoadedHomes = false

    init(defaults: UserDefaults = .standard) {
        self.manager = HMHomeManager()
        self.defaults = defaults
        super.init()
        manager.delegate = self
    }

    func waitForHomes(timeout: TimeInterval) async throws -> [HMHome] {
        if hasLoadedHomes { return manager.homes }
        let id = UUID()
        return try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<[HMHome], Error>) in
            waiters.append(Waiter(id: id, continuation: continuation))
            Task { @MainActor [weak self] in
                try? await Task.sleep(nanoseconds: UInt64(timeout * 1_000_000_000))
                self?.timeOutWaiter(id)
            }
        }
    }

    private func timeOutWaiter(_ id: UUID) {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
        waiters.remove(at: index).continuation.resume(throwing: HomeListerError.timedOut)
    }

    private func resumeWaiters(with result: Result<[HMHome], Error>) {
        let pending = waiters
        waiters.removeAll()
        pending.forEach { $0.continuation.resume(with: result) }
    }

    // MARK: HMHomeManagerDelegate

    func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {
        hasLoadedHomes = true
        resumeWaiters(with: .success(manager.homes))
    }

    func homeManager(_ manager: HMHomeManager, didUpdate status: HMHomeManagerAuthorizationStatus) {
        if status.contains(.determined) && !status.contains(.authorized) {
            resumeWaiters(with: .failure(HomeListerError.notAuthorized))
        }
    }

    // MARK: Listing

    func listing() -> String {
        var lines: [String] = []
        for home in manager.homes {
            lines.append("Home: \(home.name)\(home.isPrimary ? " (primary)" : "")")
            for zone in home.zones {
                lines.append("  Zone: \(zone.name): \(zone.rooms.map(\.name).joined(separator: ", "))")
            }
            for room in home.rooms + [home.roomForEntireHome()] {
                lines.append("  Room: \(room.name)")
                for accessory in room.accessories.sorted(by: { $0.name < $1.name }) {
                    lines += describe(accessory).map { "    " + $0 }
                }
            }
            for actionSet in home.actionSets {
                lines.append("  Scene: \(actionSet.name) (\(actionSet.actions.count) actions)")
            }
        }
        return lines.isEmpty ? "No homes." : lines.joined(separator: "\n")
    }

    private func describe(_ accessory: HMAccessory) -> [String] {
        let star = isFavorite(accessory) ? "★ " : ""
        var lines = ["\(star)\(accessory.name) [\(accessory.category.localizedDescription)]"]
        lines.append(
            "  \(accessory.manufacturer ?? "?") \(accessory.model ?? "?"), "
                + "firmware \(accessory.firmwareVersion ?? "?"), "
                + (accessory.isReachable ? "reachable" : "not reachable")
        )
        for service in accessory.services where service.serviceType != HMServiceTypeAccessoryInformation {
            lines.append("  Service: \(service.name) (\(service.typeName))")
            for characteristic in service.characteristics {
                let value = characteristic.text(for: characteristic.value)
                lines.append("    \(characteristic.typeName) = \(value)\(characteristic.rangeText)")
            }
        }
        return lines
    }

    private var allAccessories: [HMAccessory] { manager.homes.flatMap(\.accessories) }

    private func accessory(named name: String) throws -> HMAccessory {
        guard
            let accessory = allAccessories.first(where: {
                $0.name.caseInsensitiveCompare(name) == .orderedSame || $0.uniqueIdentifier.uuidString == name
            })
        else { throw HomeListerError.accessoryNotFound(name) }
        return accessory
    }

    private func characteristic(_ type: String, of accessory: HMAccessory) throws -> HMCharacteristic {
        let services =
            accessory.services.filter(\.isPrimaryService) + accessory.services.filter { !$0.isPrimaryService }
        guard
            let characteristic = services.flatMap(\.characteristics)
                .first(where: {
                    $0.characteristicType == type || $0.typeName.caseInsensitiveCompare(type) == .orderedSame
                })
        else { throw HomeListerError.characteristicNotFound(accessory: accessory.name, type: type) }
        return characteristic
    }

    // MARK: Reading and writing

    func read(accessory name: String, characteristicType: String) async throws -> Any? {
        let accessory = try self.accessory(named: name)
        let characteristic = try self.characteristic(characteristicType, of: accessory)
        guard characteristic.isReadable else { throw HomeListerError.notReadable(characteristic.typeName) }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, Error>) in
            characteristic.readValue { error in
                if let error = error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume()
                }
            }
        }
        return characteristic.value
    }

    func write(accessory name: String, characteristicType: String, text: String) async throws {
        let accessory = try self.accessory(named: name)
        let characteristic = try self.characteristic(characteristicType, of: accessory)
        guard characteristic.isWritable else { throw HomeListerError.notWritable(characteristic.typeName) }
        guard accessory.isReachable else { throw HMError(.accessoryNotReachable) }
        let value = try convert(text, metadata: characteristic.metadata)
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, Error>) in
            characteristic.writeValue(value) { error in
                if let error = error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume()
                }
            }
        }
    }

    private func convert(_ text: String, metadata: HMCharacteristicMetadata?) throws -> Any {
        switch metadata?.format {
        case HMCharacteristicMetadataFormatBool:
            switch text.lowercased() {
            case "1", "true", "on", "yes": return true
            case "0", "false", "off", "no": return false
            default: throw HomeListerError.invalidValue(text, expected: "boolean")
            }
        case HMCharacteristicMetadataFormatInt, HMCharacteristicMetadataFormatUInt8,
            HMCharacteristicMetadataFormatUInt16, HMCharacteristicMetadataFormatUInt32,
            HMCharacteristicMetadataFormatUInt64:
            guard let number = Int(text) else { throw HomeListerError.invalidValue(text, expected: "integer") }
            return Int(clamp(Double(number), to: metadata))
        case HMCharacteristicMetadataFormatFloat:
            guard let number = Double(text) else { throw HomeListerError.invalidValue(text, expected: "number") }
            return clamp(number, to: metadata)
        case HMCharacteristicMetadataFormatString:
            if let maxLength = metadata?.maxLength?.intValue { return String(text.prefix(maxLength)) }
            return text
        default:
            throw HomeListerError.invalidValue(text, expected: metadata?.format ?? "value")
        }
    }

    private func clamp(_ number: Double, to metadata: HMCharacteristicMetadata?) -> Double {
        var result = number
        if let minimum = metadata?.minimumValue?.doubleValue { result = max(result, minimum) }
        if let maximum = metadata?.maximumValue?.doubleValue { result = min(result, maximum) }
        return result
    }

    var favorites: [HMAccessory] {
        let identifiers = (defaults.stringArray(forKey: Self.favoritesKey) ?? []).compactMap(UUID.init(uuidString:))
        return identifiers.compactMap { id in allAccessories.first { $0.uniqueIdentifier == id } }
    }

    func isFavorite(_ accessory: HMAccessory) -> Bool {
        (defaults.stringArray(forKey: Self.favoritesKey) ?? []).contains(accessory.uniqueIdentifier.uuidString)
    }

    func addFavorite(named name: String) throws {
        let accessory = try self.accessory(named: name)
        guard !isFavorite(accessory) else { return }
        let stored = defaults.stringArray(forKey: Self.favoritesKey) ?? []
        defaults.set(stored + [accessory.uniqueIdentifier.uuidString], forKey: Self.favoritesKey)
    }

    func runScene(named name: String) async throws {
        for home in manager.homes {
            if let actionSet = home.actionSets.first(where: { $0.name.caseInsensitiveCompare(name) == .orderedSame }) {
                try await home.executeActionSet(actionSet)
                return
            }
        }
        throw HomeListerError.sceneNotFound(name)
    }

    // MARK: Scripts

    func perform(script: [String]) async {
        for line in script.map({ $0.trimmingCharacters(in: .whitespaces) }) where !line.isEmpty {
            print("> \(line)")
            do {
                print(try await run(line))
            } catch let error as HMError {
                print("HomeKit error \(error.code.rawValue): \(Self.message(for: error))")
            } catch {
                print("Error: \(Self.message(for: error))")
            }
        }
    }

    private func run(_ line: String) async throws -> String {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        let argument = words.count > 1 ? words[1] : ""
        switch words[0].lowercased() {
        case "list":
            return listing()
        case "get":
            guard let slash = argument.lastIndex(of: "/") else { throw HomeListerError.badCommand(line) }
            let name = String(argument[..<slash])
            let type = String(argument[argument.index(after: slash)...])
            let value = try await read(accessory: name, characteristicType: type)
            let characteristic = try self.characteristic(type, of: accessory(named: name))
            return "\(name)/\(type) = \(characteristic.text(for: value))"
        case "set":
            guard let slash = argument.firstIndex(of: "/") else { throw HomeListerError.badCommand(line) }
            let name = String(argument[..<slash])
            let rest = argument[argument.index(after: slash)...].split(separator: " ", maxSplits: 1).map(String.init)
            guard rest.count == 2 else { throw HomeListerError.badCommand(line) }
            try await write(accessory: name, characteristicType: rest[0], text: rest[1])
            return "\(name)/\(rest[0]) set to \(rest[1])"
        case "favorite":
            try addFavorite(named: argument)
            return "Added \(argument) to favorites"
        case "favorites":
            return favorites.isEmpty ? "No favorites." : favorites.map(\.name).joined(separator: "\n")
        case "scene":
            try await runScene(named: argument)
            return "Ran scene \(argument)"
        default:
            throw HomeListerError.badCommand(line)
        }
    }

    static func message(for error: Error) -> String {
        let nsError = error as NSError
        guard nsError.domain == HMErrorDomain, let code = HMError.Code(rawValue: nsError.code) else {
            return error.localizedDescription
        }
        switch code {
        case .accessoryNotReachable: return "The accessory is not reachable."
        case .readOnlyCharacteristic: return "The characteristic is read-only."
        case .operationTimedOut: return "The operation timed out."
        case .accessDenied, .insufficientPrivileges: return "Access denied."
        case .homeAccessNotAuthorized: return "Home access is not authorized."
        case .valueLowerThanMinimum: return "The value is below the minimum."
        case .valueHigherThanMaximum: return "The value is above the maximum."
        case .actionSetExecutionFailed: return "The scene failed."
        default: return nsError.localizedDescription
        }
    }
}

// MARK: - Entry point

enum HomeLister {
    @MainActor
    static func main(script: [String]) async {
        let store = HomeStore()
        do {
            let homes = try await store.waitForHomes(timeout: 10)
            print("\(homes.count) home(s) loaded")
        } catch {
            print("Could not load homes: \(HomeStore.message(for: error))")
            return
        }
        await store.perform(script: script)
    }
}
