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

    /// Returns a resource as a line of JSON.
    static func line<Resource>(of resource: Resource, _ format: Format<Resource>) -> String {
        String(decoding: JSONWriter.bytes(of: format.write(resource)), as: UTF8.self) + "\n"
    }
}
