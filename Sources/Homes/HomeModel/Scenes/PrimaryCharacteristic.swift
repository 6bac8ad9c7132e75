public import AccessoryModel
internal import HAPCore

/// The characteristic with which users switch a service between two obvious states.
///
/// A lamp is on or off, and a garage door is open or closed. A thermostat has no primary characteristic, because it
/// does not have two obvious states.
public struct PrimaryCharacteristic: Sendable, Hashable {
    /// The type of the characteristic.
    public let type: CharacteristicType
    /// The value for on, open or unlocked.
    public let on: CharacteristicValue
    /// The value for off, closed or locked.
    public let off: CharacteristicValue

    /// Returns the primary characteristic of a service type, or `nil` if it has none.
    public static func of(_ type: ServiceType) -> PrimaryCharacteristic? {
        switch type {
        case .lightbulb, .switch, .outlet, .fan:
            PrimaryCharacteristic(type: .on, on: true, off: false)
        case .fanv2, .airPurifier, .heaterCooler, .humidifierDehumidifier, .valve, .irrigationSystem, .faucet,
            .television:
            PrimaryCharacteristic(type: .active, on: 1, off: 0)
        case .garageDoorOpener:
            PrimaryCharacteristic(type: .targetDoorState, on: 0, off: 1)
        case .lockMechanism:
            PrimaryCharacteristic(type: .lockTargetState, on: 0, off: 1)
        case .windowCovering, .window, .door:
            PrimaryCharacteristic(type: .targetPosition, on: 100, off: 0)
        default: nil
        }
    }

    /// Returns the value after a tap: off if the current value is anything but off, and otherwise on.
    ///
    /// If the current value is unknown, the result is on.
    public func toggled(from value: CharacteristicValue?) -> CharacteristicValue {
        guard let value else { return on }
        return isOff(value) ? on : off
    }

    /// Returns whether a value means off, either as a Boolean or as a number.
    private func isOff(_ value: CharacteristicValue) -> Bool {
        switch (value, off) {
        case (.bool(let value), .number(let off)): (value ? 1 : 0) == off
        case (.number(let value), .bool(let off)): value == (off ? 1 : 0)
        default: value == off
        }
    }
}

extension HomeService {
    /// The primary characteristic of the type, or `nil` if it has none or the characteristic is not writable.
    public var primaryCharacteristic: PrimaryCharacteristic? {
        guard let primary = PrimaryCharacteristic.of(type),
            characteristic(primary.type)?.permissions.contains(.write) == true
        else { return nil }
        return primary
    }
}
