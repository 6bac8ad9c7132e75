package import Foundation

/// The two input files, read and checked.
package struct CatalogueInput: Hashable, Sendable {
    /// The characteristic types, in the order of the file.
    package var characteristics: [CharacteristicEntry]
    /// The service types, in the order of the file.
    package var services: [ServiceEntry]

    /// Creates an input from entries, unchecked.
    package init(characteristics: [CharacteristicEntry], services: [ServiceEntry]) {
        self.characteristics = characteristics
        self.services = services
    }

    /// Reads the texts of `characteristics.json` and `services.json`; throws ``CatalogueError`` for what is malformed
    /// or contradicts itself.
    package init(characteristics: Data, services: Data) throws {
        self.init(
            characteristics: try Self.decode(CharacteristicFile.self, characteristics, "characteristics.json")
                .characteristics,
            services: try Self.decode(ServiceFile.self, services, "services.json").services
        )
        try check()
    }

    /// Throws ``CatalogueError`` when ids or UUIDs are not unique, a short form is not its UUID's, or a service
    /// refers to a characteristic that does not exist.
    package func check() throws {
        try Self.checkTypes(characteristics.map { ($0.id, $0.uuid, $0.short) }, kind: "characteristic")
        try Self.checkTypes(services.map { ($0.id, $0.uuid, $0.short) }, kind: "service")
        let shorts = Dictionary(uniqueKeysWithValues: characteristics.map { ($0.id, $0.short) })
        for service in services {
            for reference in service.required + service.optional where shorts[reference.id] != reference.short {
                throw CatalogueError(
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
                throw CatalogueError(.duplicate, "the id is taken", at: location)
            }
            guard uuids.insert(type.uuid).inserted else {
                throw CatalogueError(.duplicate, "the UUID \(type.uuid) is taken", at: location)
            }
            let literal = try TypeLiteral(uuid: type.uuid, at: location)
            guard literal.short == type.short else {
                throw CatalogueError(.malformed, "the short form of \(type.uuid) is another", at: location)
            }
        }
    }

    private static func decode<File: Decodable>(_ type: File.Type, _ text: Data, _ name: String) throws -> File {
        do {
            return try JSONDecoder().decode(type, from: text)
        } catch {
            throw CatalogueError(.malformed, "\(error)", at: name)
        }
    }

    private struct CharacteristicFile: Decodable {
        var characteristics: [CharacteristicEntry]
    }

    private struct ServiceFile: Decodable {
        var services: [ServiceEntry]
    }
}
