internal import AccessoryModel
internal import HAPCore
internal import HomeModel

/// The JSON Schema of home files, with which editors complete and check them.
///
/// It refuses what a home file is refused for, as far as a schema can tell: it knows no accessories.
///
/// [JSON Schema 2020-12](https://json-schema.org/draft/2020-12)
package enum HomeFileSchema: JSONSchema {
    /// The text of the schema, the same each time.
    package static func json() -> [UInt8] {
        Array(JSONEmitter.text(root).utf8)
    }

    static var root: [Member] {
        [
            .init("$schema", "https://json-schema.org/draft/2020-12/schema"),
            .init("title", "A home, or several"),
            .init("description", "What `hap home import` and `hap serve --home` read; see docs/homes.md."),
            .init("type", "object"),
            .init("if", .inlineMap([.init("required", .list(["homes"]))])),
            .init("then", reference("homes")),
            .init("else", reference("home")),
            .init("$defs", .map(definitions)),
        ]
    }

    static var definitions: [Member] {
        [
            .init("homes", object(HomeKey.listing.map { member($0) }, required: ["homes"])),
            .init("home", object(HomeKey.alone.map { member($0) }, required: ["home"])),
            .init("oneOfSeveral", object(HomeKey.several.map { member($0) }, required: ["home"])),
            .init("name", name),
            .init("text", .inlineMap([.init("type", .list(["string", "number"]))])),
            .init("value", .inlineMap([.init("type", .list(["string", "number", "boolean"]))])),
            .init("limit", .inlineMap([.init("type", .list(["string", "number"]))])),
            .init("range", pattern(#"^[-+]?[0-9.eE+-]+\.\.\.[-+]?[0-9.eE+-]+$"#, "Limits included: 18...24.")),
            .init(
                "duration",
                pattern("^ *[0-9.]+(d|h|min|m|s|ms)( +[0-9.]+(d|h|min|m|s|ms))* *$", "12s, 5min or 1h 30min.")
            ),
            .init(
                "date",
                pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{1,2}:[0-9]{2}(:[0-9]{2})?$", "2026-12-24 18:00.")
            ),
            .init("sun", pattern("^(sunrise|sunset)( *[-+−] *.+)?$", "sunset, or sunrise - 30min.")),
            .init(
                "bound",
                pattern("^([0-9]{1,2}:[0-9]{2}(:[0-9]{2})?|(sunrise|sunset)( *[-+−] *.+)?)$", "07:30 or sunset.")
            ),
            .init("days", days),
            .init("placement", placement),
            .init("service", service),
            .init("action", action),
            .init("actions", list(reference("action"), "What is set.")),
            .init("scene", scene),
            .init("automation", automation),
            .init("trigger", trigger),
            .init("test", test(TriggerKey.tests)),
            .init("condition", condition),
            .init("end", end),
            .init("user", user),
        ]
    }
}
