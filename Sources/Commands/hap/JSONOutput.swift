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
        (castCommands, CastStatus.format.schema),
        (["hap cast queue list"], CastQueueListing.format.schema),
        (
            ["hap cast listen", "hap cast send"],
            either(
                "CastMessages",
                "One line for each message; without --wait, send prints the status.",
                CastAppMessage.format.schema,
                CastStatus.format.schema
            )
        ),
        (["hap cast root"], CastRootResource.format.schema),
        (
            ["hap discover"],
            either(
                "Discover",
                "A list; with --watch, one line for each event.",
                DiscoveryResults.format.schema,
                AnnouncementEvent.format.schema
            )
        ),
        (["hap doctor"], DoctorReport.format.schema),
        (["hap get", "hap put", "hap wait"], CharacteristicReport.format.schema),
        (
            ["hap home add-accessory"],
            either(
                "AddAccessory",
                "The second form is that of --all.",
                AddAccessoryResource.format.schema,
                AddedAccessories.format.schema
            )
        ),
        (
            ["hap home export"],
            Schema(.init("description", "A home file: Config/home.schema.json"), .init("type", "object"))
                .defined(as: "ExportedHome")
        ),
        (["hap home import"], ImportResource.format.schema),
        (["hap home list"], HomeList.format.schema),
        (["hap home run", "hap home watch"], HomeLogLine.format.schema),
        (["hap identify"], IdentifyResource.format.schema),
        (["hap log"], either("Log", "One line for each event.", EventResource.format.schema, EventGap.format.schema)),
        (["hap pair"], PairResource.format.schema),
        (
            ["hap pairings"],
            either(
                "Pairings",
                "The second form is that of an accessory that is named.",
                StoredPairing.list.schema,
                AccessoryPairings.format.schema
            )
        ),
        (
            ["hap routes"],
            either(
                "RoutesOutput",
                "A list; with --watch, one line for each change.",
                Route.list.schema,
                RouteEvent.format.schema
            )
        ),
        (["hap run"], ScenarioReport.list.schema),
        (
            ["hap serve"],
            either(
                "Serve",
                "The first line is the ready file.",
                ReadyFile.format.schema,
                EventResource.format.schema,
                EventGap.format.schema
            )
        ),
        (["hap simulate"], CommandResource.format.schema),
        (
            ["hap trace"],
            either(
                "Trace",
                "One line for each record; with --replay, one comparison.",
                TraceRecord.format.schema,
                ReplayReport.format.schema
            )
        ),
        (["hap unpair"], UnpairResource.format.schema),
        (["hap validate"], ValidationReport.list.schema),
        (
            ["hap watch"],
            either(
                "Watch",
                "One line for each change or event.",
                PrintedCharacteristic.change.schema,
                WatchEvent.format.schema
            )
        ),
        (["hap home say", "hap home set", "hap home scene run"], PhraseResource.format.schema),
        (homeEdits, HomeEditResource.format.schema),
        (["hap home get"], HomeValuesResource.format.schema),
        (["hap home scene state"], SceneStateResource.format.schema),
        (["hap home status"], HomeStatusResource.format.schema),
        (["hap home journal"], JournalResource.format.schema),
        (["hap home show"], HomesResource.format.schema),
        (["hap types"], TypesResource.format.schema),
    ]

    /// The commands that print the status of a receiver after what they did.
    private static let castCommands =
        [
            "launch", "load", "mute", "pause", "play", "queue add", "queue jump", "queue move", "queue next",
            "queue previous", "queue remove", "queue repeat", "queue shuffle", "quit", "rate", "seek", "skip-ad",
            "status",
            "stop", "volume",
        ]
        .map { "hap cast \($0)" }

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

    private static func either(_ name: String, _ description: String, _ schemas: Schema...) -> Schema {
        Schema.any(of: schemas)
            .map { .inlineMap([.init("description", .text(description))] + $0.members) }
            .defined(as: name)
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
}
