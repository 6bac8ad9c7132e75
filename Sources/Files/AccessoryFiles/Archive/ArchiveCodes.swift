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

    /// The formats by their numbers, which begin with 1; 1, 2, 3, 7, 8 and 10 were seen.
    private static let formats: [CharacteristicFormat] = [
        .bool, .int, .uint8, .uint16, .uint32, .uint64, .float, .string, .data, .tlv8,
    ]
    /// The units by their numbers, which begin with 1; 2 and 3 were seen.
    private static let units: [CharacteristicUnit] = [.celsius, .percentage, .arcdegrees, .lux, .seconds]

    /// Returns the number of a format.
    static func code(of format: CharacteristicFormat) -> UInt64 { number(of: format, in: formats) }

    /// Returns the number of a unit.
    static func code(of unit: CharacteristicUnit) -> UInt64 { number(of: unit, in: units) }

    /// Returns the format of a number, or `nil` if it is unknown.
    static func format(of number: UInt64) -> CharacteristicFormat? {
        formats.first { self.code(of: $0) == number }
    }

    /// Returns the unit of a number, or `nil` if it is unknown or 0, which means no unit.
    static func unit(of number: UInt64) -> CharacteristicUnit? {
        units.first { self.code(of: $0) == number }
    }

    private static func number<Meaning: Equatable>(of meaning: Meaning, in meanings: [Meaning]) -> UInt64 {
        meanings.firstIndex(of: meaning).map { UInt64($0) + 1 } ?? 0
    }
}
