import AccessoryModel
import ArgumentParser
import Documents
import HAPController
import HAPCore
import Resources

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
            try options.write(listing.text, listing, AccessoryListing.format)
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
    static let format = Format<AccessoryListing>(
        response: "RemoteAccessories",
        .written("accessories", \.accessories, .list(of: accessory), "The accessories; hap serve can serve them.")
    )

    private static let accessory = Format<RemoteAccessory>(
        response: "RemoteAccessory",
        .written("aid", \.aid.rawValue, .id, "The accessory's id."),
        .written("name", \.name, .string, "The name, if the accessory has one."),
        .written("services", \.services, .list(of: service), "The services.")
    )

    private static let service = Format<RemoteService>(
        response: "RemoteService",
        .written("iid", \.iid.rawValue, .id, "The service's id."),
        .written("type", \.type.uuid.shortened, .string, "The UUID of the type, shortened."),
        .written("name", \.name, .string, "The name of the service, or of its type."),
        .written("primary", \.isPrimary, .boolean, "Whether it is the main service."),
        .written("hidden", \.isHidden, .boolean, "Whether home apps hide the service."),
        .written("linked", \.linkedIDs, .list(of: .id), "The ids of the services that it links."),
        .written("characteristics", \.characteristics, .list(of: characteristic), "The characteristics.")
    )

    /// A characteristic with the members of `/accessories`, some of which only its manufacturer knows, and its name.
    private static let characteristic = Format<RemoteCharacteristic>(
        schema: Schema(
            .init("type", "object"),
            .init("required", .list(["iid", "type", "name", "perms", "format"]))
        )
        .defined(as: "RemoteCharacteristic"),
        read: { _, _ in nil },
        write: { characteristic in
            var members: [DocumentTree.Member] = [
                .init("iid", .number(JSONNumber(characteristic.iid.rawValue))),
                .init("type", .text(characteristic.type.uuid.shortened)), .init("name", .text(characteristic.name)),
            ]
            members += DocumentTree(.object(characteristic.base.jsonMembers(isVerbatim: true))).members
            if characteristic.permissions.contains(.read) || characteristic.value != nil {
                members.append(.init("value", Format.nullable(.value).write(characteristic.value)))
            }
            return .map(members)
        }
    )

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

extension RemoteService {
    fileprivate var linkedIDs: [UInt64]? { linked.isEmpty ? nil : linked.map(\.rawValue) }
}
