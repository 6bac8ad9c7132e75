import Documents
import HAPCore
import Resources

/// What commands print with `--json`, for `docs/json.schema.json`.
enum JSONOutput {
    /// The schemas of the resources that commands print, with the commands.
    ///
    /// The definitions of the other commands are written by hand in the file.
    static let schemas: [(commands: [String], schema: Schema)] = [
        (["hap home say", "hap home set", "hap home scene run"], PhraseResource.format.schema),
        (homeEdits, HomeEditResource.format.schema),
        (["hap home get"], HomeValuesResource.format.schema),
        (["hap home scene state"], SceneStateResource.format.schema),
        (["hap home status"], HomeStatusResource.format.schema),
        (["hap home journal"], JournalResource.format(in: nil).schema),
        (["hap home show"], HomesResource.format.schema),
        (["hap types"], TypesResource.format.schema),
    ]

    private static let homeEdits = [
        "hap home add automation",
        "hap home add group",
        "hap home add home",
        "hap home add room",
        "hap home add scene",
        "hap home add user",
        "hap home add zone",
        "hap home assign",
        "hap home automation disable",
        "hap home automation enable",
        "hap home change automation",
        "hap home change home",
        "hap home change scene",
        "hap home change service",
        "hap home move",
        "hap home remove",
        "hap home rename",
        "hap home user arrive",
        "hap home user leave",
    ]

    /// Returns a resource as a line of JSON.
    static func line<Resource>(of resource: Resource, _ format: Format<Resource>) -> String {
        String(decoding: JSONWriter.bytes(of: format.write(resource)), as: UTF8.self) + "\n"
    }
}
