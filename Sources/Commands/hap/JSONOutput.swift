import Documents
import HAPController
import HAPCore
import Hosting
import Resources
import WebConsole

/// What commands print with `--json`, for `docs/json.schema.json`.
enum JSONOutput {
    /// The schemas of the resources that commands print, with the commands.
    ///
    /// - Note: A command with several forms of lines has a definition of its own that lists them.
    private static let schemas: [(commands: [String], schema: Schema)] = [
        (["hap accessories"], AccessoryListing.format.schema),
        (["hap discover"], either("Discover", DiscoveryResults.format.schema, DiscoveryEvent.format.schema)),
        (["hap doctor"], DoctorReport.format.schema),
        (["hap get", "hap put", "hap wait"], CharacteristicReport.format.schema),
        (
            ["hap home add-accessory"],
            either("AddAccessory", AddAccessoryResource.format.schema, HomeAddAllAccessories.format.schema)
        ),
        (["hap home export"], Schema(.init("type", "object")).defined(as: "ExportedHome")),
        (["hap home import"], ImportResource.format.schema),
        (["hap home list"], HomeList.format.schema),
        (["hap home run", "hap home watch"], HomeLogLine.format.schema),
        (["hap identify"], IdentifyResource.format.schema),
        (["hap log"], EventResource.format.schema),
        (["hap pair"], PairResource.format.schema),
        (["hap pairings"], either("Pairings", StoredPairing.list.schema, AccessoryPairings.format.schema)),
        (["hap run"], ScenarioReport.list.schema),
        (["hap serve"], either("Serve", ReadyFile.format.schema, EventResource.format.schema)),
        (["hap simulate"], CommandResource.format.schema),
        (["hap trace"], either("Trace", TraceRecord.format.schema, ReplayReport.format.schema)),
        (["hap unpair"], UnpairResource.format.schema),
        (["hap validate"], ValidationReport.list.schema),
        (["hap watch"], either("Watch", CharacteristicResource.change.schema, WatchEvent.format.schema)),
        (["hap home say", "hap home set", "hap home scene run"], PhraseResource.format.schema),
        (homeEdits, HomeEditResource.format.schema),
        (["hap home get"], HomeValuesResource.format.schema),
        (["hap home scene state"], SceneStateResource.format.schema),
        (["hap home status"], HomeStatusResource.format.schema),
        (["hap home journal"], JournalResource.format.schema),
        (["hap home show"], HomesResource.format.schema),
        (["hap types"], TypesResource.format.schema),
    ]

    private static let homeEdits = [
        "hap home add",
        "hap home automation",
        "hap home change",
        "hap home edit",
        "hap home move",
        "hap home remove",
        "hap home rename",
        "hap home user",
    ]

    private static func either(_ name: String, _ schemas: Schema...) -> Schema {
        .any(of: schemas).defined(as: name)
    }

    /// The content of `docs/json.schema.json`.
    static var schemaFile: [UInt8] {
        let references = schemas.flatMap { commands, schema in
            commands.map { DocumentTree.Member($0, schema.tree.members.first?.value ?? .null) }
        }
        let all = schemas.map(\.schema) + [CommandFailure.format.schema]
        let commands = DocumentTree.Member("commands", .map(references.sorted { $0.key < $1.key }))
        return Schema(tree: .map([commands]), definitions: Schema.any(of: all).definitions)
            .fileContents(
                title: "What the commands of hap print with --json",
                "`commands` names the definition for each command; `Failure` is for standard error. See docs/json.md."
            )
    }

    /// Returns a resource as a line of JSON.
    static func line<Resource>(of resource: Resource, _ format: Format<Resource>) -> String {
        String(decoding: JSONWriter.bytes(of: format.write(resource)), as: UTF8.self) + "\n"
    }
}
