internal import AccessoryModel
internal import Documents
internal import HAPCore

/// The parameters of the driver `command`.
package struct CommandParameters: Sendable, Hashable {
    /// The program that runs all the time, with its arguments; empty for programs that run once for each value.
    package internal(set) var program: [String] = []
    /// The program that is run for a value.
    package internal(set) var reader: [String] = []
    /// The program that is run for a write; empty if nothing can be written.
    package internal(set) var writer: [String] = []
    /// The characteristic whose value the reader prints; `nil` for the first one.
    package internal(set) var characteristic: String?
    package internal(set) var interval = Duration.seconds(30)
    /// The time limit of a reader.
    package internal(set) var timeLimit = Duration.seconds(10)
    package internal(set) var environment: [String: String] = [:]
    package internal(set) var events: [String] = []
    package internal(set) var actions: [String] = []

    static let format: Format<CommandParameters> = {
        let arguments = Format<[String]>
            .list(
                of: Format<String>.text(bytes: 0...4_096),
                maximumCount: 256,
                emptyMessage: "there is no program; write its path, followed by its arguments"
            )
        let names = Format<[String]>.list(of: Format<String>.text(bytes: 1...64), maximumCount: 64)
        return ObjectFormat(
            CommandParameters(),
            [
                .defaulted(
                    "run",
                    \.program,
                    arguments,
                    "The program with its arguments. It runs all the time, and reads and writes lines of JSON."
                ),
                .defaulted("read", \.reader, arguments, "Instead: a program that is run for a value, and prints it."),
                .defaulted(
                    "write",
                    \.writer,
                    arguments,
                    "With read: a program that is run for a write, with names and values as further arguments. Default: "
                        + "nothing can be written."
                ),
                .optional(
                    "characteristic",
                    \.characteristic,
                    .text(bytes: 1...256),
                    "With read: the characteristic whose value is printed. Default: the first one that can be read."
                ),
                .defaulted(
                    "every",
                    \.interval,
                    .duration(in: .seconds(1) ... .seconds(86_400)),
                    "With read: the time between two values. Default: 30s."
                ),
                .defaulted(
                    "timeout",
                    \.timeLimit,
                    .duration(in: .milliseconds(100) ... .seconds(600)),
                    "With read: the time that the program has for a value. Default: 10s."
                ),
                .defaulted(
                    "environment",
                    \.environment,
                    .details,
                    "Variables of the program, besides PATH, HOME, LANG and TZ. Default: none."
                ),
                .defaulted(
                    "events",
                    \.events,
                    names,
                    "The names of the events that the program reports. Default: none."
                ),
                .defaulted("actions", \.actions, names, "The names of what it can be asked to do. Default: none."),
            ]
        ) { parameters throws(ObjectError) in
            guard parameters.program.isEmpty != parameters.reader.isEmpty else {
                throw ObjectError(
                    "write either \"run\" with a program that runs all the time, or \"read\" with one that prints a value"
                )
            }
            guard parameters.program.isEmpty || parameters.writer.isEmpty else {
                throw ObjectError(at: "write", "the program of \"run\" gets the writes; remove this key")
            }
        }
        .format(isInline: true)
    }()
}

extension DriverDefinition {
    /// The driver `command`: a program, or programs that are run for each value.
    package static let command = DriverDefinition(
        "command",
        "A program of the user.",
        ownership: .all,
        runsPrograms: true,
        faults: [
            DriverFeature(.fault, "ignoredWrites", "Writes are not passed to the program, so they time out."),
            DriverFeature(.fault, "lostReports", "Values that the program reports are lost."),
        ],
        format: CommandParameters.format
    ) { parameters in
        parameters.events.map { DriverFeature(.event, $0, "An event of the program.", fields: nil) }
            + parameters.actions.map { DriverFeature(.action, $0, "An action of the program.", fields: nil) }
            + [
                DriverFeature(.event, "stderr", "A line on the program's standard error.", fields: ["line"]),
                DriverFeature(.event, "failed", "A program gave no value.", fields: ["reason"]),
                DriverFeature(.event, "unreadable", "A line that cannot be read as a message.", fields: ["line"]),
                DriverFeature(.event, "refused", "A value that cannot be reported.", fields: ["value"]),
            ]
    }
}
