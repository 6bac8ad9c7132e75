public import ArgumentParser
import Hosting
public import Logging

/// The command-line options of `hap serve`.
///
/// The configuration file uses the same names as keys.
struct ServeOptions: ParsableArguments {
    @Argument(
        help: .value(
            "file",
            "The files to serve, each with its own server: definitions in YAML or JSON, .hasaccessory exports, or the "
                + "JSON that a device returns for GET /accessories, also as Home Assistant stores it. FILE#DEVICE-ID "
                + "selects one of several devices. Default: the Kilgo garage, unless there are other accessories: those of a "
                + "home file or of --accessories."
        ),
        completion: .file()
    )
    var files: [String] = []

    @Option(
        help: .value(
            "folder",
            "A folder whose accessory files are all served, also those that are added later; the page and the API "
                + "store definitions there. It is created if it is missing."
        ),
        completion: .directory
    )
    var accessories: String?

    @OptionGroup var server: ServerOptions

    @Option(
        help: .value(
            "n",
            "Without files: the number of garages to serve, each with its own server, on consecutive ports. "
                + "Default: 1."
        )
    )
    var copies: Int?

    @Option(
        help: .value(
            "folder",
            "The folder that stores identity, pairings and values. Default: $XDG_STATE_HOME/hap or "
                + "~/.local/state/hap."
        ),
        completion: .directory
    )
    var state: String?

    @Option(
        help: .value(
            "auto|none",
            "Whether devices are simulated; none: values change only when they are written. Default: none for the "
                + "JSON of real devices, auto for all other files."
        )
    )
    var simulate: SimulationMode?

    @Flag(inversion: .prefixedNo, help: "Refuse numbers that do not match their step, instead of rounding them.")
    var strict: Bool?

    @Option(
        name: .customLong("log-level"),
        help: .value(
            "level",
            "Also write a log of requests, sessions and failures to standard error: entries of at least this level. "
                + "Default: no log."
        )
    )
    var logLevel: Logger.Level?

    @Option(
        help: .value(
            "file",
            "A home file: the definitions that it names are served, and its automations run inside the servers on "
                + "their clock."
        ),
        completion: .file()
    )
    var home: String?

    @Option(
        help: .value(
            "file",
            "A scenario to run alongside, in real time. Without other files, the accessories that it names are served. Of "
                + "several, the first one runs; the others are started on the page."
        ),
        completion: .file()
    )
    var scenario: [String] = []

    @Option(help: .value("-", "Read commands of the prompt from standard input, one after the other: --commands -"))
    var commands: String?

    @Option(
        help: .value(
            "file",
            "A file for the decrypted requests, responses and events, one JSON object in each line; see 'hap trace'."
        ),
        completion: .file()
    )
    var trace: String?

    @Flag(help: "Print the servers and each event as JSON, one object in each line.")
    var json = false

    @Option(
        help: .value(
            "file",
            "A YAML file with the same options; the command line takes precedence. Default: Config/hap.yaml if it "
                + "exists."
        ),
        completion: .file()
    )
    var config: String?
}

extension Logger.Level: @retroactive ExpressibleByArgument {}

// The same results as those of ArgumentParser, whose key paths take 5 % of a start.
extension ExpressibleByArgument where Self: CaseIterable & RawRepresentable, RawValue == String {
    /// The words that the option accepts.
    public static var allValueStrings: [String] { allCases.map { $0.rawValue } }
    /// Empty, because the words describe themselves.
    public static var allValueDescriptions: [String: String] { [:] }
}

extension SimulationMode: ExpressibleByArgument {}
