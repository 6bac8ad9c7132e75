internal import AccessoryModel
package import Documents
internal import HAPCore
internal import HomeModel
internal import Hosting
internal import Resources

extension Format {
    /// Returns the format of an object with one key, whose value is the result.
    static func object(_ key: String, _ format: Format, _ documentation: String) -> Format {
        ObjectFormat<Value>(Field<Value>.required(key, format, documentation), make: { $0 }, take: { $0 }).format()
    }
}

/// The formats of bodies with one key.
package enum BodyFormat {
    /// The token, for a session of a browser.
    static let session: Format<String> = .object(
        "token",
        .string,
        "The token from the printed link, or from the file console.token in the state folder."
    )
    /// A command of the prompt.
    package static let command: Format<String> = .object(
        "command",
        .text(bytes: 1...4_096)
            .schema(.init("type", "string"), .init("minLength", .number(1)), .init("maxLength", .number(4_096))),
        "A command of the prompt, such as \"press Doorbell\" or \"fault latency times 3\"."
    )
    /// The simulated seconds to advance.
    static let advance: Format<Double> = .object(
        "seconds",
        .number(in: 0...604_800),
        "The simulated seconds to advance, at most a week."
    )
    /// An action on a simulated device.
    static let action: Format<BehaviorCommand> = .object(
        "action",
        .word(actions),
        "What to do with the device; one that does not support it refuses."
    )
    /// Whether an automation is enabled.
    static let automation: Format<Bool> = .object("enabled", .boolean, "Whether the automation is enabled.")
    /// Whether a user is at home.
    static let presence: Format<Bool> = .object("home", .boolean, "Whether the user is at home.")
    /// At most 1,000 values, written as by a controller.
    static let writes: Format<[ListedWrite]> = .object(
        "writes",
        .list(of: ListedWrite.format, maximumCount: 1_000),
        "The values to write."
    )

    /// The actions, with the words by which clients name them.
    private static let actions: [(String, BehaviorCommand)] = [
        ("press", .press(.single)), ("doublePress", .press(.double)), ("longPress", .press(.long)), ("stop", .stop),
        ("obstruct", .obstruct), ("clearObstruction", .clearObstruction), ("plug", .plug), ("unplug", .unplug),
    ]
}

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
            .defaulted("dryRun", \.isDryRun, .boolean, "Whether only to return the actions. Default: false."),
        ]
    )
    .format()
}

/// A text that describes what was done, or what was asked for.
package struct CommandResource: Sendable {
    var message: String

    package init(message: String) {
        self.message = message
    }

    package static let format = Format<CommandResource>(
        response: "CommandResult",
        .written("message", \.message, .string, "The answer of the prompt.")
    )
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

/// One write of a batch.
struct ListedWrite: Sendable {
    /// The characteristic as `aid.iid`.
    var characteristic = ""
    var value = DocumentScalar(plain: "null")

    fileprivate static let format = ObjectFormat(
        ListedWrite(),
        [
            .required("characteristic", \.characteristic, .string, "The characteristic as aid.iid."),
            .required("value", \.value, WriteRequest.scalar, "The value, as for a single characteristic."),
        ]
    )
    .format()
}

/// The result of a write.
struct WriteResultResource: Sendable {
    var characteristic: String
    var status: HAPStatus

    static let format = Format<WriteResultResource>(
        response: "WriteResult",
        .written("characteristic", \.characteristic, .string, "The characteristic as aid.iid."),
        .written("status", \.code, .hapStatus, "The status of HAP; 0 if the value was accepted."),
        .written("message", \.message, .string, "Why the value was refused.")
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
            .optional("count", \.count, .integer(in: 1...1_000_000), "How often it acts. Default: no limit."),
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

/// A choice of accessory to identify.
struct IdentifyRequest: Sendable {
    var aid: UInt64 = 1

    static let format = ObjectFormat(
        IdentifyRequest(),
        [.defaulted("aid", \.aid, .integer(in: 1...UInt64.max), "The accessory's id. Default: 1.")]
    )
    .format()
}
