internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import HomeModel
internal import Hosting
internal import Resources

/// A phrase.
struct SayRequest: Sendable {
    var phrase = ""
    var isDryRun = false

    static let format = ObjectFormat(
        SayRequest(),
        [
            .required(
                "phrase",
                \.phrase,
                .text(bytes: 1...Phrase.maximumByteCount)
                    .schema(
                        .init("type", "string"),
                        .init("minLength", .number(1)),
                        .init("maxLength", .number(JSONNumber(Phrase.maximumByteCount)))
                    ),
                "An English phrase, such as \"turn off the lights upstairs\" or \"is the garage door open?\"."
            ),
            .defaulted(
                "dryRun",
                \.isDryRun,
                .boolean,
                "Whether to return the actions without performing them. Default: false."
            ),
        ]
    )
    .format()
}

/// A request for a session of a browser.
struct SessionRequest: Sendable {
    var token = ""

    static let format = ObjectFormat(
        SessionRequest(),
        [
            .required(
                "token",
                \.token,
                .string,
                "The token from the printed link, or from the file console.token in the state folder."
            )
        ]
    )
    .format()
}

/// A command of the prompt.
struct CommandRequest: Sendable {
    var command = ""

    static let format = ObjectFormat(
        CommandRequest(),
        [
            .required(
                "command",
                \.command,
                .text(bytes: 1...4_096)
                    .schema(.init("type", "string"), .init("minLength", .number(1)), .init("maxLength", .number(4_096))),
                "A command of the prompt, such as \"press Doorbell\" or \"fault latency times 3\"."
            )
        ]
    )
    .format()
}

/// A text that describes what was done, or what was asked for.
struct CommandResource: Sendable {
    var message: String

    static let format = Format<CommandResource>
        .response("CommandResult", [.written("message", \.message, .string, "The answer of the prompt.")])
}

/// A value to write.
struct WriteRequest: Sendable {
    /// Who sets the value.
    enum Writer: String, Sendable, Hashable, CaseIterable {
        /// The device reports the value, and subscribed controllers are notified.
        case device
        /// The value is written as by a controller: permissions, ranges and the behavior of the device apply.
        case controller
    }

    var value = DocumentScalar(plain: "null")
    var writer = Writer.device

    static let format = ObjectFormat(
        WriteRequest(),
        [
            .required(
                "value",
                \.value,
                scalar,
                "The value: a number, a Boolean, a text, bytes as Base64, or the name of a value such as \"Open\"."
            ),
            .defaulted(
                "as",
                \.writer,
                .word(Writer.allCases.map { ($0.rawValue, $0) }),
                "Whether the device reports the value or a controller writes it. Default: device."
            ),
        ]
    )
    .format()

    fileprivate static let scalar = Format<DocumentScalar>(
        schema: Schema(.init("type", .list(["boolean", "number", "string"]))),
        read: { field, reader in
            if let scalar = field.node.scalar, scalar.meaning != .null { return scalar }
            reader.report(field, "\(field.node.kind) is not a value; write a number, true, false or a text")
            return nil
        },
        write: { .text($0.text) }
    )
}

/// Values that are written as by a controller.
struct WritesRequest: Sendable {
    struct Item: Sendable {
        /// The characteristic as `aid.iid`.
        var characteristic = ""
        var value = DocumentScalar(plain: "null")

        fileprivate static let format = ObjectFormat(
            Item(),
            [
                .required("characteristic", \.characteristic, .string, "The characteristic as aid.iid."),
                .required("value", \.value, WriteRequest.scalar, "The value, as for a single characteristic."),
            ]
        )
        .format()
    }

    /// The maximum number of writes of a request.
    static let maximumCount = 1_000

    var items: [Item] = []

    static let format = ObjectFormat(
        WritesRequest(),
        [.required("writes", \.items, .list(of: Item.format, maximumCount: maximumCount), "The values to write.")]
    )
    .format()
}

/// The result of a write.
struct WriteResultResource: Sendable {
    var characteristic: String
    var status: HAPStatus

    static let format = Format<WriteResultResource>
        .response(
            "WriteResult",
            [
                .written("characteristic", \.characteristic, .string, "The characteristic as aid.iid."),
                .written("status", \.code, .hapStatus, "The status of HAP; 0 if the value was accepted."),
                .written("message", \.message, .string, "Why the value was refused."),
            ]
        )

    private var code: Int { Int(status.rawValue) }
    private var message: String? { status == .success ? nil : status.description }
}

/// A change of the simulated time.
struct TimeRequest: Sendable {
    var scale: Double?
    var isPaused: Bool?

    static let format = ObjectFormat(
        TimeRequest(),
        [
            .optional(
                "scale",
                \.scale,
                .number(in: 0.001...1_000_000),
                "The simulated seconds per real second, from 0.001 to 1000000."
            ),
            .optional("paused", \.isPaused, .boolean, "Whether simulated time is paused."),
        ]
    )
    .format()
}

/// A request to advance the simulated time.
struct AdvanceRequest: Sendable {
    var seconds = 0.0

    static let format = ObjectFormat(
        AdvanceRequest(),
        [
            .required(
                "seconds",
                \.seconds,
                .number(in: 0...604_800),
                "The simulated seconds to advance, at most a week."
            )
        ]
    )
    .format()
}

/// An action on a simulated device.
struct ActionRequest: Sendable {
    /// The actions, with the words by which clients name them.
    static let actions: [(word: String, command: BehaviorCommand)] = [
        ("press", .press(.single)), ("doublePress", .press(.double)), ("longPress", .press(.long)), ("stop", .stop),
        ("obstruct", .obstruct), ("clearObstruction", .clearObstruction), ("plug", .plug), ("unplug", .unplug),
    ]

    var command = BehaviorCommand.stop

    static let format = ObjectFormat(
        ActionRequest(),
        [
            .required(
                "action",
                \.command,
                .word(actions.map { ($0.word, $0.command) }),
                "What to do with the device; one that does not support it refuses."
            )
        ]
    )
    .format()
}

/// A reference to what a fault affects: a server, or an object of it by its ids.
struct ObjectReference: Sendable, Hashable {
    var server: String
    var aid: UInt64?
    /// The id of a service or a characteristic.
    var iid: UInt64?
}

/// A request to inject a fault.
struct FaultInjectionRequest: Sendable {
    var name = ""
    var server: String?
    var aid: UInt64?
    var iid: UInt64?
    var parameters: [String: String] = [:]
    var count: Int?
    var seconds: Double?

    static let format = ObjectFormat(
        FaultInjectionRequest(),
        [
            .required("name", \.name, .string, "The name of the fault; GET /api/v1/fault-kinds lists them."),
            .optional("server", \.server, .string, "The key of the server that it affects. Default: every server."),
            .optional(
                "aid",
                \.aid,
                .integer(in: 1...UInt64.max),
                "The id of the accessory that it affects. Default: the whole server."
            ),
            .optional(
                "iid",
                \.iid,
                .integer(in: 1...UInt64.max),
                "The id of the service or the characteristic that it affects. Default: the whole accessory."
            ),
            .optional(
                "count",
                \.count,
                .integer(in: 1...1_000_000),
                "The number of times that it acts. Default: no limit."
            ),
            .optional(
                "seconds",
                \.seconds,
                .number(in: 0.001...86_400),
                "How long it lasts in simulated time. Default: until it is cleared."
            ),
            .custom(
                "parameters",
                "The parameters by name, such as {\"delay\": \"2s\"}.",
                schema: Schema(
                    .init("type", "object"),
                    .init("additionalProperties", .inlineMap([.init("type", .list(["string", "number", "boolean"]))]))
                ),
                read: { field, request, reader in
                    guard let members = field.node.mapping else {
                        return reader.report(field, "\(field.node.kind) is not an object; write parameters by name")
                    }
                    for member in members {
                        guard let text = member.value.scalar?.text else {
                            reader.report(field.member(member), "a parameter is a text, a number, true or false")
                            continue
                        }
                        request.parameters[member.key] = text
                    }
                }
            ),
        ]
    )
    .format()
}

/// A change of an automation.
struct AutomationRequest: Sendable {
    var isEnabled = false

    static let format = ObjectFormat(
        AutomationRequest(),
        [.required("enabled", \.isEnabled, .boolean, "Whether the automation is enabled.")]
    )
    .format()
}

/// A new content of the file of a served home.
struct HomeFileRequest: Sendable {
    var text = ""
    var revision = ""
    var renames: [HomeFileRename] = []

    /// The maximum number of renames; each is looked up in the whole home.
    static let maximumRenames = 100

    static let format = ObjectFormat(
        HomeFileRequest(),
        [
            .required("text", \.text, .string, "The new content: YAML or JSON."),
            .required("revision", \.revision, .string, "The revision of the content from which it was made."),
            .defaulted(
                "renames",
                \.renames,
                .list(of: rename),
                "The automations and users that have another name in the new content, and keep their state. Default: none."
            ),
        ]
    )
    .format()

    private static let rename = ObjectFormat(
        HomeFileRename(.automation, from: "", to: ""),
        [
            .required(
                "kind",
                \.kind,
                .word(HomeFileRename.Kind.allCases.map { ($0.rawValue, $0) }),
                "What has another name."
            ),
            .required("from", \.from, .string, "The former name."),
            .required("to", \.to, .string, "The new name."),
        ]
    )
    .format()
}

/// A change of a user's presence.
struct PresenceRequest: Sendable {
    var isHome = false

    static let format = ObjectFormat(
        PresenceRequest(),
        [.required("home", \.isHome, .boolean, "Whether the user is at home.")]
    )
    .format()
}

/// A choice of accessory to identify.
struct IdentifyRequest: Sendable {
    var aid: UInt64 = 1

    static let format = ObjectFormat(
        IdentifyRequest(),
        [.defaulted("aid", \.aid, .integer(in: 1...UInt64.max), "The accessory's id. Default: 1.")]
    )
    .format()
}
