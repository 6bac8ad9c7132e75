internal import AccessoryModel

/// The numbers that stand for formats, units and permissions.
///
/// Those that no known file has are inferred from their neighbours.
enum ArchiveNumbers {
    /// The formats: 1, 2, 3, 7, 8 and 10 were seen.
    static let formats: [(number: UInt64, format: CharacteristicFormat)] = [
        (1, .bool), (2, .int), (3, .uint8), (4, .uint16), (5, .uint32), (6, .uint64), (7, .float), (8, .string),
        (9, .data), (10, .tlv8),
    ]

    /// The units, but 0 for none: 2 and 3 were seen.
    static let units: [(number: UInt64, unit: CharacteristicUnit)] = [
        (1, .celsius), (2, .percentage), (3, .arcdegrees), (4, .lux), (5, .seconds),
    ]

    /// What a characteristic can do: the bits of `HAK.properties`.
    enum Property {
        static let read: UInt64 = 1
        static let write: UInt64 = 2
        static let notify: UInt64 = 8
        static let known = read | write | notify
    }

    /// Who may do it: the bits of `HAK.permissions`.
    enum Permission {
        static let openRead: UInt64 = 1
        static let openWrite: UInt64 = 2
        static let read: UInt64 = 4
        static let write: UInt64 = 8
        static let known = openRead | openWrite | read | write
    }
}
