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
        return AccessoryEndpoint(host: host, port: port).description
    }

    /// An object with all that is known.
    func write(to writer: inout JSONWriter) {
        writer.member("name", name)
        writer.member("deviceID", deviceID?.text)
        writer.member("category", category?.description)
        writer.member("paired", isPaired)
        writer.member("host", host)
        writer.member("addresses", addresses)
        writer.member("port", Int(port))
        writer.member("model", model)
        writer.member("configurationNumber", configurationNumber.map { Int($0) })
        guard !text.isEmpty else { return }
        writer.object("text") { writer in
            for (key, value) in text.sorted(by: { $0.key < $1.key }) {
                writer.member(key, value)
            }
        }
    }
}

extension DiscoveryUpdate {
    private var outputEvent: (sign: String, event: String, accessory: DiscoveredAccessory)? {
        switch self {
        case .appeared(let accessory): ("+", "appeared", accessory)
        case .changed(let accessory): ("~", "changed", accessory)
        case .disappeared(let accessory): ("-", "disappeared", accessory)
        case .allForNow, .available, .unavailable: nil
        }
    }

    /// A line about an accessory; `nil` for what is not about one.
    var line: String? {
        outputEvent.map { sign, _, accessory in "\(sign) \(accessory.row.joined(separator: "  "))\n" }
    }

    /// The same as JSON, with `event` and `accessory`.
    var jsonLine: String? {
        guard let (_, event, accessory) = outputEvent else { return nil }
        return JSONWriter.line { writer in
            writer.member("event", event)
            writer.object("accessory", accessory.write)
        }
    }
}
