package import Foundation

/// The two input files, read and checked.
package struct CatalogInput: Hashable, Sendable {
    /// The characteristic types, in the order of the file.
    package var characteristics: [CharacteristicEntry]
    /// The service types, in the order of the file.
    package var services: [ServiceEntry]

    /// Creates an input from entries, unchecked.
    package init(characteristics: [CharacteristicEntry], services: [ServiceEntry]) {
        self.characteristics = characteristics
        self.services = services
    }

    /// Reads the texts of `characteristics.json` and `services.json`; throws ``CatalogError`` for what is malformed
    /// or contradicts itself.
    package init(characteristics: Data, services: Data) throws {
        self.init(
            characteristics: try Self.decode(CharacteristicFile.self, characteristics, "characteristics.json")
                .characteristics,
            services: try Self.decode(ServiceFile.self, services, "services.json").services
        )
        try check()
    }

    /// Throws ``CatalogError`` when ids or UUIDs are not unique, a short form is not its UUID's, or a service
    /// refers to a characteristic that does not exist.
    package func check() throws {
        try Self.checkTypes(characteristics.map { ($0.id, $0.uuid, $0.short) }, kind: "characteristic")
        try Self.checkTypes(services.map { ($0.id, $0.uuid, $0.short) }, kind: "service")
        let shorts = Dictionary(uniqueKeysWithValues: characteristics.map { ($0.id, $0.short) })
        for service in services {
            for reference in service.required + service.optional where shorts[reference.id] != reference.short {
                throw CatalogError(
                    .unresolved,
                    "no characteristic is \(reference.id) with the type \(reference.short ?? "in full")",
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
                throw CatalogError(.duplicate, "the id is taken", at: location)
            }
            guard uuids.insert(type.uuid).inserted else {
                throw CatalogError(.duplicate, "the UUID \(type.uuid) is taken", at: location)
            }
            let literal = try TypeLiteral(uuid: type.uuid, at: location)
            guard literal.short == type.short else {
                throw CatalogError(.malformed, "the short form of \(type.uuid) is another", at: location)
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

/// A characteristic type as the input describes it; keys that the catalog does not need are not read.
package struct CharacteristicEntry: Decodable, Hashable, Sendable {
    /// The name for people.
    package var name: String
    /// The name in files.
    package var id: String
    /// Other names in use.
    package var aliases: [String]?
    /// The full UUID.
    package var uuid: String
    /// The short form of an Apple-defined type.
    package var short: String?
    /// The format, as on the wire.
    package var format: String
    /// The permissions, as on the wire.
    package var permissions: [String]
    /// The unit, as on the wire.
    package var unit: String?
    /// The least number.
    package var minValue: InputNumber?
    /// The greatest number.
    package var maxValue: InputNumber?
    /// The distance between numbers.
    package var stepValue: InputNumber?
    /// The least length of a string.
    package var minLength: Int?
    /// The greatest length of a string.
    package var maxLength: Int?
    /// The greatest number of bytes of a data value.
    package var maxDataLength: Int?
    /// An enumeration's values by name.
    package var validValues: [String: InputNumber]?
    /// A bit field's masks by name.
    package var validBits: [String: InputNumber]?
    /// The kinds of access that only admins have.
    package var adminOnlyAccess: [String]?
}

/// A service type as the input describes it; keys that the catalog does not need are not read.
package struct ServiceEntry: Decodable, Hashable, Sendable {
    /// The name for people.
    package var name: String
    /// The name in files.
    package var id: String
    /// Other names in use.
    package var aliases: [String]?
    /// The full UUID.
    package var uuid: String
    /// The short form of an Apple-defined type.
    package var short: String?
    /// The characteristics that every such service has.
    package var required: [Reference]
    /// The characteristics that such a service may have.
    package var optional: [Reference]

    /// A characteristic, named twice so that a slip in either shows.
    package struct Reference: Decodable, Hashable, Sendable {
        /// The characteristic's name in files.
        package var id: String
        /// The short form of its type.
        package var short: String?
    }
}

/// A number of the input that comes out exactly as it went in.
package enum InputNumber: Hashable, Sendable {
    /// Without a fraction.
    case integer(Int64)
    /// With a fraction; the shortest text that reads back as this value is the text of the input.
    case real(Double)

    /// The value, for comparing.
    package var double: Double {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        }
    }
}

extension InputNumber: Comparable {
    /// Orders by value.
    package static func < (lhs: InputNumber, rhs: InputNumber) -> Bool {
        lhs.double < rhs.double
    }
}

extension InputNumber: Decodable {
    /// Reads a JSON number; throws for one that is not exact here: beyond 2⁵³ and not an integer of 64 bits.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
            return
        }
        let real = try container.decode(Double.self)
        guard real.magnitude < 0x20_0000_0000_0000 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(real) is not exact")
        }
        self = .real(real)
    }
}

extension InputNumber: CustomStringConvertible {
    /// The literal in Swift, with its digits grouped.
    package var description: String {
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
