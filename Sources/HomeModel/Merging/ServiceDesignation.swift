internal import AccessoryModel
internal import HAPCore

/// How a file says which service of an accessory is meant: `Lightbulb`, `Lightbulb (2)`, or a name.
struct ServiceDesignation {
    /// The type, when the text is one.
    let type: ServiceType?
    /// Which one of its type, from 1; `nil` for the only one.
    let number: Int?
    /// The text as a name.
    let key: String

    init(_ text: String) {
        // Neither type nor name is that long.
        let text = text.utf8.count <= 4 * ObjectName.maximumByteCount ? text : ""
        key = ObjectName.key(of: text)
        var stem = Substring(text)
        var number: Int?
        if text.last == ")", let open = text.lastIndex(of: "("), let count = Int(text[open...].dropFirst().dropLast()),
            1...HomeLimits.services ~= count
        {
            number = count
            stem = text[..<open]
        }
        type = ServiceType(written: String(stem))
        self.number = number
    }

    /// The text for a service of an accessory.
    static func text(of position: Int, in services: [HomeService]) -> String {
        let type = services[position].type
        let positions = services.indices.filter { services[$0].type == type }
        guard positions.count > 1, let number = positions.firstIndex(of: position) else { return type.written }
        return "\(type.written) (\(number + 1))"
    }
}

extension ServiceType {
    /// Reads the name or UUID of a type; `nil` for everything else.
    package init?(written text: String) {
        let text = String(text.drop { $0 == " " })
        if let known = Catalogue.service(named: text) {
            self = known.type
        } else if let uuid = HAPUUID(text.filter { $0 != " " }) {
            self.init(uuid)
        } else {
            return nil
        }
    }

    /// What a file writes for it: its name in the catalogue, else its UUID.
    package var written: String {
        if let known = Catalogue.service(self), Catalogue.service(named: known.id)?.type == self { return known.id }
        return uuid.description
    }
}

extension CharacteristicType {
    /// Reads the name or UUID of a type; `nil` for everything else.
    init?(written text: String) {
        if let known = Catalogue.characteristic(named: text) {
            self = known.type
        } else if let uuid = HAPUUID(text) {
            self.init(uuid)
        } else {
            return nil
        }
    }

    /// What a file writes for it: its name in the catalogue, else its UUID.
    var written: String {
        if let known = Catalogue.characteristic(self), Catalogue.characteristic(named: known.id)?.type == self {
            return known.id
        }
        return uuid.description
    }
}
