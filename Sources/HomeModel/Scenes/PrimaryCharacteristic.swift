public import AccessoryModel
internal import HAPCore

/// The property by which people switch a service that has one switch.
///
/// A lamp is on or off, a garage door open or closed; what a thermostat would be toggled between nobody knows.
public struct PrimaryCharacteristic: Sendable, Hashable {
    /// Which one.
    public let type: CharacteristicType
    /// The value of what is on, open, unlocked.
    public let on: CharacteristicValue
    /// The value of what is off, closed, locked.
    public let off: CharacteristicValue

    /// The primary characteristic of a type of service, `nil` when it has none.
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

    /// The value that a tap gives after this one: off after everything that is not off.
    ///
    /// After nothing known it is on.
    public func toggled(from value: CharacteristicValue?) -> CharacteristicValue {
        guard let value else { return on }
        return isOff(value) ? on : off
    }

    /// Whether a value is the one of what is off, as a Boolean or as a number.
    private func isOff(_ value: CharacteristicValue) -> Bool {
        switch (value, off) {
        case (.bool(let value), .number(let off)): (value ? 1 : 0) == off
        case (.number(let value), .bool(let off)): value == (off ? 1 : 0)
        default: value == off
        }
    }
}

extension HomeService {
    /// By what people switch it: of its type, when it has that characteristic and it can be written; else `nil`.
    public var primaryCharacteristic: PrimaryCharacteristic? {
        guard let primary = PrimaryCharacteristic.of(type),
            characteristic(primary.type)?.permissions.contains(.write) == true
        else { return nil }
        return primary
    }
}
