import AccessoryModel
import ArgumentParser
import HAPController
import HAPCore
import Hosting

/// The command `hap accessories`, which shows all services and characteristics of an accessory.
struct Accessories: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accessories",
        abstract: "Show an accessory's services and characteristics with their values.",
        discussion: """
            Each line is a characteristic: the number and the name for 'hap get' and 'hap put', its value, its \
            permissions, and its format. With --json, the accessory's own description is printed with HAP's keys, and \
            with names added; 'hap serve' can serve it.

            EXAMPLE
              hap accessories kilgo-garage
              hap accessories kilgo-garage --json > garage.json
            """
    )

    @Argument(help: .value("alias", "The accessory."), completion: ControllerCompletion.aliases)
    var alias: String

    @OptionGroup var options: ControllerOptions

    func run() async throws {
        try await options.withController { controller in
            let accessory = try await controller.accessory(alias)
            let listing = AccessoryListing(accessories: try await accessory.accessories(refreshing: true))
            try Output.write(options.json ? listing.json : listing.text)
        }
    }
}

/// A listing of a server's accessories as text or JSON.
struct AccessoryListing: Sendable {
    let accessories: [RemoteAccessory]

    /// A block for each accessory with a table for each service.
    var text: String {
        accessories.map { accessory in
            let details = [accessory.manufacturer, accessory.model, accessory.serialNumber, accessory.firmwareRevision]
                .compactMap(\.self).joined(separator: ", ")
            let name = accessory.name ?? "Accessory \(accessory.aid)"
            let title = "\(name) (aid \(accessory.aid))\(details.isEmpty ? "" : ": \(details)")"
            let services = accessory.services.map { Self.text(of: $0, in: accessory) }
            return ([title.escapingControlCharacters + "\n"] + services).joined(separator: "\n")
        }
        .joined(separator: "\n")
    }

    /// The accessories with HAP's keys, and with names next to the numbers.
    var json: String {
        JSONWriter.line { writer in
            writer.list("accessories", accessories) { accessory, writer in
                writer.member("aid", accessory.aid.rawValue)
                writer.member("name", ifPresent: accessory.name)
                writer.list("services", accessory.services) { $1.members(of: $0) }
            }
        }
    }

    private static func text(of service: RemoteService, in accessory: RemoteAccessory) -> String {
        let notes = [
            service.name == service.typeName ? nil : service.typeName, service.isPrimary ? "primary" : nil,
            service.isHidden ? "hidden" : nil,
        ]
        .compactMap(\.self).joined(separator: ", ")
        let title = "  \(service.name)\(notes.isEmpty ? "" : " (\(notes))")".escapingControlCharacters
        let rows = service.characteristics.map { characteristic in
            [
                CharacteristicID(aid: accessory.aid, iid: characteristic.iid).description,
                characteristic.name.escapingControlCharacters,
                characteristic.value == nil && !characteristic.permissions.contains(.read)
                    ? "" : characteristic.text(of: characteristic.value),
                characteristic.permissions.names.joined(separator: " "), characteristic.metadata.format.rawValue,
            ]
        }
        return title + "\n" + TextTable.text(rows, indentation: 4)
    }
}

extension JSONWriter {
    fileprivate mutating func members(of service: RemoteService) {
        member("iid", service.iid.rawValue)
        member("type", service.type.uuid.shortened)
        member("name", service.name)
        member("primary", service.isPrimary)
        member("hidden", service.isHidden)
        member("linked", ifPresent: service.linked.isEmpty ? nil : service.linked.map(\.rawValue))
        list("characteristics", service.characteristics) { $1.members(of: $0) }
    }

    /// Writes a characteristic with the members of `/accessories` and its name.
    private mutating func members(of characteristic: RemoteCharacteristic) {
        member("iid", characteristic.iid.rawValue)
        member("type", characteristic.type.uuid.shortened)
        member("name", characteristic.name)
        for member in characteristic.base.jsonMembers(isVerbatim: true).members {
            key(member.key)
            value(member.value)
        }
        if characteristic.permissions.contains(.read) || characteristic.value != nil {
            member("value", characteristic.value)
        }
    }
}
