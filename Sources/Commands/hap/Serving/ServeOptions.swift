public import ArgumentParser
import Hosting
public import Logging
import WebConsole

/// The command-line options of `hap serve`.
///
/// The configuration file uses the same names as keys.
struct ServeOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The files to serve, each with its own server: definitions in YAML or JSON, .hasaccessory exports, or the "
                + "JSON that a device returns for GET /accessories, also as Home Assistant stores it. FILE#DEVICE-ID "
                + "selects one of several devices. Default: the Kilgo garage, unless there are other accessories: those of a "
                + "home file or of --accessories.",
            valueName: "file"
        ),
        completion: .file()
    )
    var files: [String] = []

    @Option(
        help: ArgumentHelp(
            "A folder whose accessory files are all served, also those that are added later; the page and the API "
                + "store definitions there. It is created if it is missing.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var accessories: String?

    @Option(help: ArgumentHelp("The port to listen on; 0 picks a free one at the first start.", valueName: "n"))
    var port: UInt16?

    @Option(
        help: ArgumentHelp(
            "Without files: the number of garages to serve, each with its own server, on consecutive ports. "
                + "Default: 1.",
            valueName: "n"
        )
    )
    var copies: Int?

    @Option(
        help: ArgumentHelp("The address to listen on. Default: all interfaces, IPv4 and IPv6.", valueName: "address")
    )
    var bind: String?

    @Option(
        help: ArgumentHelp(
            "The folder that stores identity, pairings and values. Default: $XDG_STATE_HOME/hap or "
                + "~/.local/state/hap.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var state: String?

    @Option(
        name: .customLong("setup-code"),
        help: ArgumentHelp(
            "The setup code. Default: the saved one, or a random one at the first start.",
            valueName: "xxx-xx-xxx"
        )
    )
    var setupCode: String?

    @Option(
        help: "Whether to announce on the network; auto: if an Avahi daemon answers, on: fail if none answers."
    )
    var advertise: AdvertiseMode?

    @Option(
        help: ArgumentHelp(
            "Whether devices are simulated; none: values change only when they are written. Default: none for the "
                + "JSON of real devices, auto for all other files.",
            valueName: "auto|none"
        )
    )
    var simulate: SimulationMode?

    @Flag(inversion: .prefixedNo, help: "Refuse numbers that do not match their step, instead of rounding them.")
    var strict: Bool?

    @Option(
        name: .customLong("ready-file"),
        help: ArgumentHelp("A JSON file to write once all servers listen.", valueName: "file"),
        completion: .file()
    )
    var readyFile: String?

    @Option(
        name: .customLong("log-level"),
        help: ArgumentHelp(
            "Also write a log of requests, sessions and failures to standard error: entries of at least this level. "
                + "Default: no log.",
            valueName: "level"
        )
    )
    var logLevel: Logger.Level?

    @Option(
        help: ArgumentHelp(
            "A home file: the definitions that it names are served, and its automations run inside the servers on "
                + "their clock.",
            valueName: "file"
        ),
        completion: .file()
    )
    var home: String?

    @Option(
        help: ArgumentHelp(
            "A scenario to run alongside, in real time. Without other files, the accessories that it names are served.",
            valueName: "file"
        ),
        completion: .file()
    )
    var scenario: String?

    @Option(
        name: .customLong("time-scale"),
        help: ArgumentHelp("The number of simulated seconds per real second. Default: 1.", valueName: "x")
    )
    var timeScale: Double?

    @Option(
        help: ArgumentHelp("The seed for the random behavior of simulated devices. Default: 0.", valueName: "n")
    )
    var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            "Where the API answers over TCP; off: only on the Unix socket in the state folder. Default: 127.0.0.1:8181, "
                + "or the next free port.",
            valueName: "address:port|off"
        )
    )
    var console: ConsoleAddress?

    @Option(
        help: ArgumentHelp(
            "Read commands of the prompt from standard input, one after the other: --commands -",
            valueName: "-"
        )
    )
    var commands: String?

    @Option(
        help: ArgumentHelp(
            "A file for the decrypted requests, responses and events, one JSON object in each line; see 'hap trace'.",
            valueName: "file"
        ),
        completion: .file()
    )
    var trace: String?

    @Flag(help: "Print the servers and each event as JSON, one object in each line.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "A YAML file with the same options; the command line takes precedence. Default: Config/hap.yaml if it "
                + "exists.",
            valueName: "file"
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

extension AdvertiseMode: ExpressibleByArgument {}

extension SimulationMode: ExpressibleByArgument {}
