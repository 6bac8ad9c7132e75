import AccessoryModel
import HAPCore
import Resources
import Simulation

extension TypeSelection {
    /// A table of the types, or all details of a single type.
    var text: String {
        let blocks = isDetailed ? services.map(\.details) + characteristics.map(\.details) : tables
        return blocks.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private var tables: [[String]] {
        var tables: [[String]] = []
        if !services.isEmpty {
            tables.append(
                ["Services (\(services.count))"]
                    + TextTable.lines(services.map { [$0.id, $0.type.uuid.shortened, $0.name] })
            )
        }
        if !characteristics.isEmpty {
            tables.append(["Characteristics (\(characteristics.count))"] + TextTable.lines(characteristics.map(\.row)))
        }
        return tables
    }
}

extension ServiceDefinition {
    fileprivate var details: [String] {
        var events: [[String]] = [["In definitions", id], ["UUID", type.uuid.shortAndLongForms]]
        if !aliases.isEmpty {
            events.append(["Also", aliases.joined(separator: ", ")])
        }
        let models = SimulationCatalog.models.filter { $0.services.contains(type) }
        if !models.isEmpty {
            events.append(["Simulated by", models.map(\.name).joined(separator: ", ")])
        }
        return ["\(name), a service"] + TextTable.lines(events) + Self.lines("Required", required)
            + Self.lines("Optional", optional)
    }

    private static func lines(_ title: String, _ types: [CharacteristicType]) -> [String] {
        guard !types.isEmpty else { return [] }
        return ["  \(title)"]
            + TextTable.lines(types.compactMap { Catalog.characteristic($0)?.row }).map { "  \($0)" }
    }
}

extension CharacteristicDefinition {
    /// The cells of the characteristic's row in a table.
    fileprivate var row: [String] {
        [
            id, type.uuid.shortened, metadata.format.rawValue, permissions.names.joined(separator: " "),
            metadata.summary,
        ]
    }

    fileprivate var details: [String] {
        var events: [[String]] = [
            ["In definitions", id], ["UUID", type.uuid.shortAndLongForms], ["Format", metadata.format.rawValue],
            ["Permissions", permissions.names.joined(separator: " ")],
        ]
        func event(_ name: String, _ text: String?) {
            if let text, !text.isEmpty {
                events.append([name, text])
            }
        }
        event("Also", aliases.joined(separator: ", "))
        event("Admins only", adminOnly.names.joined(separator: " "))
        event("Unit", metadata.unit?.rawValue)
        event("Range", metadata.range)
        event("Step", metadata.step?.description)
        event("Minimum length", metadata.minimumLength.map { "\($0) bytes" })
        event("Length", metadata.maximumLength.map { "\($0) bytes at most" })
        event("Length", metadata.maximumDataLength.map { "\($0) bytes at most" })
        if valueNames.isEmpty {
            event("Values", metadata.validValues.map(\.description).joined(separator: ", "))
        }
        event("Values", valueNames.map { "\($0.value) \($0.name)" }.joined(separator: ", "))
        event("Bits", bitNames.map { "\($0.value) \($0.name)" }.joined(separator: ", "))
        event("Required by", requiredBy.map(\.name).joined(separator: ", "))
        event("Optional in", optionalIn.map(\.name).joined(separator: ", "))
        return ["\(name), a characteristic"] + TextTable.lines(events)
    }
}

extension CharacteristicMetadata {
    fileprivate var range: String? {
        guard minimum != nil || maximum != nil else { return nil }
        return "\(minimum?.description ?? "")...\(maximum?.description ?? "")"
    }

    fileprivate var summary: String {
        [range, step.map { "by \($0)" }, unit?.rawValue].compactMap(\.self).joined(separator: " ")
    }
}

extension HAPUUID {
    fileprivate var shortAndLongForms: String {
        apple == nil ? description : "\(shortened)  \(description)"
    }
}
