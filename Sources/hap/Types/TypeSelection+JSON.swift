import AccessoryModel
import HAPCore
import Simulation

extension TypeSelection {
    /// Everything about each type, for a script.
    var json: String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key(plain: "services")
        writer.beginArray()
        for service in services {
            service.write(to: &writer)
        }
        writer.endArray()
        writer.key(plain: "characteristics")
        writer.beginArray()
        for characteristic in characteristics {
            characteristic.write(to: &writer)
        }
        writer.endArray()
        writer.endObject()
        return String(decoding: writer.finish(), as: UTF8.self) + "\n"
    }
}

extension ServiceDefinition {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.type(id: id, name: name, aliases: aliases, type.uuid)
        writer.member("required", required.compactMap { Catalogue.characteristic($0)?.id })
        writer.member("optional", optional.compactMap { Catalogue.characteristic($0)?.id })
        writer.member("simulations", SimulationCatalogue.models.filter { $0.services.contains(type) }.map(\.name))
        writer.endObject()
    }
}

extension CharacteristicDefinition {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.type(id: id, name: name, aliases: aliases, type.uuid)
        writer.member("format", metadata.format.rawValue)
        writer.member("permissions", permissions.names)
        writer.member("adminOnly", adminOnly.names)
        if let unit = metadata.unit {
            writer.member("unit", unit.rawValue)
        }
        for (name, number) in [
            ("minimum", metadata.minimum), ("maximum", metadata.maximum), ("step", metadata.step),
        ] {
            if let number {
                writer.key(name)
                writer.value(number)
            }
        }
        for (name, length) in [
            ("minimumLength", metadata.minimumLength), ("maximumLength", metadata.maximumLength),
            ("maximumDataLength", metadata.maximumDataLength),
        ] {
            if let length {
                writer.member(name, length)
            }
        }
        writer.key(plain: "validValues")
        writer.beginArray()
        for value in metadata.validValues {
            writer.value(value)
        }
        writer.endArray()
        writer.names("values", valueNames)
        writer.names("bits", bitNames)
        writer.member("requiredBy", requiredBy.map(\.id))
        writer.member("optionalIn", optionalIn.map(\.id))
        writer.endObject()
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
        key(name)
        beginArray()
        for entry in names {
            beginObject()
            key(plain: "value")
            value(entry.value)
            member("name", entry.name)
            endObject()
        }
        endArray()
    }
}
