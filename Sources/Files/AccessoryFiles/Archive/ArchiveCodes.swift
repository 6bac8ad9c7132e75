internal import AccessoryModel

/// The numbers of formats, units and permissions in an archive.
///
/// Numbers that occur in no known file are inferred from their neighbors.
enum ArchiveCodes {
    /// The capabilities of a characteristic: the bits of `HAK.properties`.
    enum Property {
        static let read: UInt64 = 1
        static let write: UInt64 = 2
        static let notify: UInt64 = 8
        static let all = read | write | notify
    }

    /// The required permissions: the bits of `HAK.permissions`.
    enum Permission {
        static let openRead: UInt64 = 1
        static let openWrite: UInt64 = 2
        static let read: UInt64 = 4
        static let write: UInt64 = 8
        static let all = openRead | openWrite | read | write
    }

    /// Returns the number of a format; 1, 2, 3, 7, 8 and 10 were seen.
    static func code(of format: CharacteristicFormat) -> UInt64 {
        switch format {
        case .bool: 1
        case .int: 2
        case .uint8: 3
        case .uint16: 4
        case .uint32: 5
        case .uint64: 6
        case .float: 7
        case .string: 8
        case .data: 9
        case .tlv8: 10
        }
    }

    /// Returns the number of a unit; 2 and 3 were seen.
    static func code(of unit: CharacteristicUnit) -> UInt64 {
        switch unit {
        case .celsius: 1
        case .percentage: 2
        case .arcdegrees: 3
        case .lux: 4
        case .seconds: 5
        }
    }

    /// Returns the format of a number, or `nil` if it is unknown.
    static func format(of number: UInt64) -> CharacteristicFormat? {
        CharacteristicFormat.allCases.first { self.code(of: $0) == number }
    }

    /// Returns the unit of a number, or `nil` if it is unknown or 0, which means no unit.
    static func unit(of number: UInt64) -> CharacteristicUnit? {
        CharacteristicUnit.allCases.first { self.code(of: $0) == number }
    }
}
