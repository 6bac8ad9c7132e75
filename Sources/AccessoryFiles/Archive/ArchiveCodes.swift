internal import AccessoryModel

/// The numbers that stand for formats, units and permissions.
///
/// Those that no known file has are inferred from their neighbors.
enum ArchiveCodes {
    /// What a characteristic can do: the bits of `HAK.properties`.
    enum Property {
        static let read: UInt64 = 1
        static let write: UInt64 = 2
        static let notify: UInt64 = 8
        static let all = read | write | notify
    }

    /// Who may do it: the bits of `HAK.permissions`.
    enum Permission {
        static let openRead: UInt64 = 1
        static let openWrite: UInt64 = 2
        static let read: UInt64 = 4
        static let write: UInt64 = 8
        static let all = openRead | openWrite | read | write
    }

    /// The number of a format: 1, 2, 3, 7, 8 and 10 were seen.
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

    /// The number of a unit: 2 and 3 were seen.
    static func code(of unit: CharacteristicUnit) -> UInt64 {
        switch unit {
        case .celsius: 1
        case .percentage: 2
        case .arcdegrees: 3
        case .lux: 4
        case .seconds: 5
        }
    }

    /// The format of a number, `nil` for an unknown one.
    static func format(of number: UInt64) -> CharacteristicFormat? {
        CharacteristicFormat.allCases.first { self.code(of: $0) == number }
    }

    /// The unit of a number, `nil` for an unknown one and for 0, which is none.
    static func unit(of number: UInt64) -> CharacteristicUnit? {
        CharacteristicUnit.allCases.first { self.code(of: $0) == number }
    }
}
