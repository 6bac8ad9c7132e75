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

    /// Returns the texts for the services of an accessory, in their order.
    static func texts(of services: [HomeService]) -> [String] {
        let counts = Dictionary(services.lazy.map { ($0.type, 1) }, uniquingKeysWith: +)
        var numbers: [ServiceType: Int] = [:]
        return services.map { service in
            let type = service.type
            guard counts[type, default: 0] > 1 else { return type.nameOrUUID }
            numbers[type, default: 0] += 1
            return "\(type.nameOrUUID) (\(numbers[type, default: 0]))"
        }
    }
}
