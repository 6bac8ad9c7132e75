import Foundation

/// The validated content of the two input files.
struct CatalogInput: Hashable, Sendable {
    /// The characteristic types, in the order of the file.
    var characteristics: [CharacteristicEntry]
    /// The service types, in the order of the file.
    var services: [ServiceEntry]

    /// Creates an input from entries, without validating them.
    init(characteristics: [CharacteristicEntry], services: [ServiceEntry]) {
        self.characteristics = characteristics
        self.services = services
    }

    /// Parses and validates the content of `characteristics.json` and `services.json`.
    ///
    /// - Throws: ``CatalogError`` if the content is malformed or contradicts itself.
    init(characteristics: Data, services: Data) throws {
        self.init(
            characteristics: try Self.decode(CharacteristicFile.self, characteristics, "characteristics.json")
                .characteristics,
            services: try Self.decode(ServiceFile.self, services, "services.json").services
        )
        try check()
    }

    /// Validates the input.
    ///
    /// - Throws: ``CatalogError`` if ids or UUIDs are not unique, if a short form does not belong to its UUID, or if a
    ///   service refers to a characteristic that does not exist.
    func check() throws {
        try Self.checkTypes(characteristics.map { ($0.id, $0.uuid, $0.short) }, kind: "characteristic")
        try Self.checkTypes(services.map { ($0.id, $0.uuid, $0.short) }, kind: "service")
        let shorts = Dictionary(uniqueKeysWithValues: characteristics.map { ($0.id, $0.short) })
        for service in services {
            for reference in service.required + service.optional where shorts[reference.id] != reference.short {
                throw CatalogError(
                    .unresolved,
                    "there is no characteristic \(reference.id) with the short type \(reference.short ?? "none")",
                    at: "service \(service.id)"
                )
            }
        }
    }

    private static func checkTypes(_ types: [(id: String, uuid: String, short: String?)], kind: String) throws {
        var ids: Set<String> = []
        var uuids: Set<String> = []
        for type in types {
            let location = "\(kind) \(type.id)"
            guard ids.insert(type.id).inserted else {
                throw CatalogError(.duplicate, "the id is used twice", at: location)
            }
            guard uuids.insert(type.uuid).inserted else {
                throw CatalogError(.duplicate, "the UUID \(type.uuid) is used twice", at: location)
            }
            let literal = try TypeLiteral(uuid: type.uuid, at: location)
            guard literal.short == type.short else {
                throw CatalogError(.malformed, "the short form does not belong to \(type.uuid)", at: location)
            }
        }
    }

    private static func decode<File: Decodable>(_ type: File.Type, _ text: Data, _ name: String) throws -> File {
        do {
            return try JSONDecoder().decode(type, from: text)
        } catch {
            throw CatalogError(.malformed, "\(error)", at: name)
        }
    }

    private struct CharacteristicFile: Decodable {
        var characteristics: [CharacteristicEntry]
    }

    private struct ServiceFile: Decodable {
        var services: [ServiceEntry]
    }
}

/// A characteristic type in the input, without the keys that the catalog does not need.
struct CharacteristicEntry: Decodable, Hashable, Sendable {
    /// The display name.
    var name: String
    /// The name in files.
    var id: String
    /// Other names of the type.
    var aliases: [String]?
    /// The full UUID.
    var uuid: String
    /// The short form of an Apple-defined type.
    var short: String?
    /// The format, as HAP writes it.
    var format: String
    /// The permissions, as HAP writes them.
    var permissions: [String]
    /// The unit, as HAP writes it.
    var unit: String?
    /// The minimum.
    var minValue: InputNumber?
    /// The maximum.
    var maxValue: InputNumber?
    /// The distance between allowed numbers.
    var stepValue: InputNumber?
    /// The minimum length of a string.
    var minLength: Int?
    /// The maximum length of a string.
    var maxLength: Int?
    /// The maximum number of bytes of a data value.
    var maxDataLength: Int?
    /// The values of an enumeration, by name.
    var validValues: [String: InputNumber]?
    /// The masks of a bit field, by name.
    var validBits: [String: InputNumber]?
    /// The kinds of access that are reserved for admins.
    var adminOnlyAccess: [String]?
}

/// A service type in the input, without the keys that the catalog does not need.
struct ServiceEntry: Decodable, Hashable, Sendable {
    /// The display name.
    var name: String
    /// The name in files.
    var id: String
    /// Other names of the type.
    var aliases: [String]?
    /// The full UUID.
    var uuid: String
    /// The short form of an Apple-defined type.
    var short: String?
    /// The characteristics that a service of this type must have.
    var required: [Reference]
    /// The characteristics that a service of this type may have.
    var optional: [Reference]

    /// A reference to a characteristic by its id and its type, so that a mistake in one of them is found.
    struct Reference: Decodable, Hashable, Sendable {
        /// The characteristic's name in files.
        var id: String
        /// The short form of the characteristic's type.
        var short: String?
    }
}

/// A number of the input that is written to the output without any change.
enum InputNumber: Hashable, Sendable {
    /// A number without a fraction.
    case integer(Int64)
    /// A number with a fraction, whose shortest text that is read as the same value is the text in the input.
    case real(Double)

    /// The value, for comparisons.
    var double: Double {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        }
    }
}

extension InputNumber: Comparable {
    /// Compares two numbers by value.
    static func < (lhs: InputNumber, rhs: InputNumber) -> Bool {
        lhs.double < rhs.double
    }
}

extension InputNumber: Decodable {
    /// Decodes a JSON number.
    ///
    /// - Throws: An error if the number cannot be represented exactly: it is at least 2⁵³ and not a 64-bit integer.
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
            return
        }
        let real = try container.decode(Double.self)
        guard real.magnitude < 0x20_0000_0000_0000 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(real) is too large")
        }
        self = .real(real)
    }
}

extension InputNumber: CustomStringConvertible {
    /// The Swift literal, with its digits in groups.
    var description: String {
        switch self {
        case .real(let value): return value.description
        case .integer(let value):
            let digits = String(value.magnitude)
            guard digits.count > 4 else { return String(value) }
            var grouped = value < 0 ? "-" : ""
            for (position, digit) in digits.enumerated() {
                if position > 0, (digits.count - position).isMultiple(of: 3) {
                    grouped.append("_")
                }
                grouped.append(digit)
            }
            return grouped
        }
    }
}
