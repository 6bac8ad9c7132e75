internal import AccessoryModel
internal import HAPCore

/// The text by which a file refers to a service of an accessory: `Lightbulb`, `Lightbulb (2)`, or a name.
struct ServiceLabel {
    /// The type, if the text is one.
    let type: ServiceType?
    /// The number among the services of the type, from 1; `nil` if the text contains none.
    let number: Int?
    /// The key of the text as a name.
    let key: String

    init(_ text: String) {
        // Neither a type nor a name is that long.
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
        type = ServiceType(nameOrUUID: String(stem))
        self.number = number
    }

    /// Returns the text for a service of an accessory.
    static func text(of position: Int, in services: [HomeService]) -> String {
        let type = services[position].type
        let positions = services.indices.filter { services[$0].type == type }
        guard positions.count > 1, let number = positions.firstIndex(of: position) else { return type.nameOrUUID }
        return "\(type.nameOrUUID) (\(number + 1))"
    }
}
