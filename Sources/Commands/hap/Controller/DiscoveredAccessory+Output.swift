import Discovery
import HAPController
import HAPCore
import Hosting

extension DiscoveredAccessory {
    /// The cells of the accessory's row in a table, without control characters.
    var row: [String] {
        [
            name.printable, deviceID?.text ?? (text["id"] ?? "-").printable, category?.description ?? "-",
            isPaired.map { $0 ? "yes" : "no" } ?? "-", place, (model ?? "-").printable,
            configurationNumber.map { "\($0)" } ?? "-",
        ]
    }

    /// The `address:port` with the address that is most likely to work, or with the host name if there is no address.
    private var place: String {
        let host = addresses.first ?? self.host.printable
        return AccessoryEndpoint(host: host, port: port).description
    }

    /// Writes all known properties as members of an object.
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

    /// The line about an accessory, with the current time, or `nil` for updates that are not about an accessory.
    var line: String? {
        outputEvent.map { sign, _, accessory in
            "\(LineTime.now)  \(sign) \(accessory.row.joined(separator: "  "))\n"
        }
    }

    /// The line as JSON, with `event` and `accessory`.
    var jsonLine: String? {
        guard let (_, event, accessory) = outputEvent else { return nil }
        return JSONWriter.line { writer in
            writer.member("event", event)
            writer.object("accessory", accessory.write)
        }
    }
}
