import Discovery
import Documents
import HAPController
import HAPCore
import Hosting
import Resources

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

    static let format = Format<DiscoveredAccessory>(
        response: "AnnouncedAccessory",
        .written("name", \.name, .string, "The name."),
        .written("deviceID", \.deviceID?.text, .nullable(.string), "The device ID."),
        .written("category", \.category?.description, .nullable(.string), "The category."),
        .written("paired", \.isPaired, .nullable(.boolean), "Whether a controller is paired."),
        .written("host", \.host, .string, "The host name."),
        .written("addresses", \.addresses, .list(of: .string), "The addresses."),
        .written("port", \.port, .integer, "The port."),
        .written("model", \.model, .nullable(.string), "The model."),
        .written(
            "configurationNumber",
            \.configurationNumber,
            .nullable(.integer),
            "The number that counts structure changes."
        ),
        .written("text", \.textRecord, .map(of: .string), "The text record, if there is one.")
    )

    private var textRecord: [String: String]? { text.isEmpty ? nil : text }
}

/// An update of an announced accessory, as `hap discover --watch` prints it.
struct AnnouncementEvent: Sendable {
    var event: String
    var accessory: DiscoveredAccessory

    static let format = Format<AnnouncementEvent>(
        response: "AnnouncementEvent",
        .written("event", \.event, .word(["appeared", "changed", "disappeared"]), "What changed."),
        .written("accessory", \.accessory, DiscoveredAccessory.format, "The accessory.")
    )
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
        return AnnouncementEvent.format.json(AnnouncementEvent(event: event, accessory: accessory)) + "\n"
    }
}
