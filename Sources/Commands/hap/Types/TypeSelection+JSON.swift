import AccessoryModel
import HAPCore
import Hosting
import Simulation

extension TypeSelection {
    /// All details of each type as JSON.
    var json: String {
        JSONWriter.line { writer in
            writer.list("services", services) { $0.write(to: &$1) }
            writer.list("characteristics", characteristics) { $0.write(to: &$1) }
        }
    }
}

extension ServiceDefinition {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.type(id: id, name: name, aliases: aliases, type.uuid)
        writer.member("required", required.compactMap { Catalog.characteristic($0)?.id })
        writer.member("optional", optional.compactMap { Catalog.characteristic($0)?.id })
        writer.member("simulations", SimulationCatalog.models.filter { $0.services.contains(type) }.map(\.name))
    }
}

extension CharacteristicDefinition {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.type(id: id, name: name, aliases: aliases, type.uuid)
        writer.member("format", metadata.format.rawValue)
        writer.member("permissions", permissions.names)
        writer.member("adminOnly", adminOnly.names)
        writer.member("unit", ifPresent: metadata.unit?.rawValue)
        writer.member("minimum", ifPresent: metadata.minimum)
        writer.member("maximum", ifPresent: metadata.maximum)
        writer.member("step", ifPresent: metadata.step)
        writer.member("minimumLength", ifPresent: metadata.minimumLength)
        writer.member("maximumLength", ifPresent: metadata.maximumLength)
        writer.member("maximumDataLength", ifPresent: metadata.maximumDataLength)
        writer.member("validValues", metadata.validValues)
        writer.names("values", valueNames)
        writer.names("bits", bitNames)
        writer.member("requiredBy", requiredBy.map(\.id))
        writer.member("optionalIn", optionalIn.map(\.id))
    }
}

extension JSONWriter {
    fileprivate mutating func type(id: String, name: String, aliases: [String], _ uuid: HAPUUID) {
        member("id", id)
        member("name", name)
        member("aliases", aliases)
        member("type", uuid.shortened)
        member("uuid", uuid.description)
    }

    fileprivate mutating func names(_ name: String, _ names: [CharacteristicDefinition.ValueName]) {
        list(name, names) { entry, writer in
            writer.member("value", entry.value)
            writer.member("name", entry.name)
        }
    }
}
