public import ArgumentParser
public import Logging

/// What `hap serve` can be told on the command line.
///
/// The same names are the keys of the configuration file.
struct ServeOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "What to serve, each file a server of its own: definitions in YAML or JSON, .hasaccessory exports, or the "
                + "JSON that a device answers to GET /accessories, also as Home Assistant stores it; FILE#DEVICE-ID is "
                + "one of several devices. Default: the Kilgo garage.",
            valueName: "file"
        ),
        completion: .file()
    )
    var files: [String] = []

    @Option(help: ArgumentHelp("The port to listen on; 0 picks a free one once and keeps it.", valueName: "n"))
    var port: UInt16?

    @Option(
        help: ArgumentHelp(
            "Without files: how many garages to serve, each a server of its own, on the ports that follow. "
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
            "Where identity, pairings and values are kept. Default: $XDG_STATE_HOME/hap or ~/.local/state/hap.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var state: String?

    @Option(
        name: .customLong("setup-code"),
        help: ArgumentHelp("The code to pair with. Default: the kept one, else a random one.", valueName: "xxx-xx-xxx")
    )
    var setupCode: String?

    @Option(help: "Whether to announce on the network; auto: when a daemon answers, on: fail when none does.")
    var advertise: AdvertiseMode?

    @Option(
        help: ArgumentHelp(
            "Whether values move by themselves; none: they stay as they are written. Default: none for what a device "
                + "has answered, auto for everything else.",
            valueName: "auto|none"
        )
    )
    var simulate: SimulationMode?

    @Flag(inversion: .prefixedNo, help: "Refuse numbers that are off their step instead of rounding them.")
    var strict: Bool?

    @Option(
        name: .customLong("ready-file"),
        help: ArgumentHelp("Written as JSON once everything listens.", valueName: "file"),
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
        help: ArgumentHelp("A home file, whose automations run inside the servers on their clock.", valueName: "file"),
        completion: .file()
    )
    var home: String?

    @Option(
        help: ArgumentHelp(
            "A scenario that runs beside, as the clocks go; without other files, what it names is served.",
            valueName: "file"
        ),
        completion: .file()
    )
    var scenario: String?

    @Option(
        name: .customLong("time-scale"),
        help: ArgumentHelp(
            "How many seconds of simulated devices pass in one of the world's. Default: 1.",
            valueName: "x"
        )
    )
    var timeScale: Double?

    @Option(help: ArgumentHelp("What the chance of simulated devices is drawn from. Default: 0.", valueName: "n"))
    var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            "The same options in YAML; the command line wins. Default: Config/hap.yaml when present.",
            valueName: "file"
        ),
        completion: .file()
    )
    var config: String?
}

extension Logger.Level: @retroactive ExpressibleByArgument {}

/// Whether a server announces itself on the network.
enum AdvertiseMode: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// When a daemon answers; the server runs either way.
    case auto
    /// Or fail when no daemon answers.
    case on
    /// Not at all.
    case off
}

/// Whether anything moves the values of what is served.
enum SimulationMode: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// What the file says, else what belongs to the type of the service.
    case automatic = "auto"
    /// Nothing.
    case off = "none"
}
