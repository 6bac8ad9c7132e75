import Discovery
import HAPController
import HAPCore

extension DiscoveredAccessory {
    /// What people see of it, nothing that could steer a terminal among it.
    var row: [String] {
        [
            name.printable, deviceID?.text ?? (text["id"] ?? "-").printable, category?.description ?? "-",
            isPaired.map { $0 ? "yes" : "no" } ?? "-", place, (model ?? "-").printable,
            configurationNumber.map { "\($0)" } ?? "-",
        ]
    }

    /// `address:port` with the address that is most likely to work, else the host's name.
    private var place: String {
        let host = addresses.first ?? self.host.printable
        return AccessoryPlace(host: host, port: port).description
    }

    /// An object with all that is known.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", name)
        writer.optional("deviceID", deviceID?.text)
        writer.optional("category", category?.description)
        writer.key(plain: "paired")
        if let isPaired { writer.value(isPaired) } else { writer.null() }
        writer.member("host", host)
        writer.member("addresses", addresses)
        writer.member("port", Int(port))
        writer.optional("model", model)
        writer.key(plain: "configurationNumber")
        if let configurationNumber { writer.value(Int(configurationNumber)) } else { writer.null() }
        writer.key(plain: "text")
        writer.beginObject()
        for (key, value) in text.sorted(by: { $0.key < $1.key }) {
            writer.member(key, value)
        }
        writer.endObject()
        writer.endObject()
    }
}

extension DiscoveryUpdate {
    private var news: (sign: String, event: String, accessory: DiscoveredAccessory)? {
        switch self {
        case .appeared(let accessory): ("+", "appeared", accessory)
        case .changed(let accessory): ("~", "changed", accessory)
        case .disappeared(let accessory): ("-", "disappeared", accessory)
        case .sawAll, .available, .unavailable: nil
        }
    }

    /// A line about an accessory; `nil` for what is not about one.
    var line: String? {
        news.map { sign, _, accessory in "\(sign) \(accessory.row.joined(separator: "  "))\n" }
    }

    /// The same as JSON, with `event` and `accessory`.
    var jsonLine: String? {
        guard let (_, event, accessory) = news else { return nil }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("event", event)
        writer.key(plain: "accessory")
        accessory.write(to: &writer)
        writer.endObject()
        return String(decoding: writer.finish(), as: UTF8.self) + "\n"
    }
}

extension JSONWriter {
    fileprivate mutating func optional(_ name: String, _ text: String?) {
        key(name)
        if let text { value(text) } else { null() }
    }
}
