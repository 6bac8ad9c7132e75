import AccessoryModel
import ArgumentParser
import HAPCore
import Hosting
import WebConsole

/// The options that `hap serve` and `hap run` share; each command has its own defaults.
struct ServerOptions: ParsableArguments {
    @Option(help: .value("n", "The port of the first server. Default: 0, a free one, which 'hap serve' keeps."))
    var port: UInt16?

    @Option(
        help: .value(
            "address",
            "The address to listen on. Default: all interfaces, IPv4 and IPv6; of 'hap run' 127.0.0.1."
        )
    )
    var bind: String?

    /// The text of a code, because ArgumentParser would print one with a mistyped digit, which nearly gives it away.
    @Option(
        name: .customLong("setup-code"),
        help: .value("xxx-xx-xxx", "The setup code. Default: the saved one, or a random one at the first start.")
    )
    var setupCode: String?

    @Option(
        help: """
            Whether to announce on the network; auto: if an Avahi daemon answers, on: fail if none answers. Default: \
            auto; of 'hap run' off.
            """
    )
    var advertise: AdvertiseMode?

    @Option(
        name: .customLong("ready-file"),
        help: .value("file", "A JSON file to write once all servers listen."),
        completion: .file()
    )
    var readyFile: String?

    @Option(
        name: .customLong("time-scale"),
        help: .value("x", "The number of simulated seconds per real second. Default: 1; of 'hap run' unlimited.")
    )
    var timeScale: Double?

    @Option(help: .value("n", "The seed for random behavior. Default: the scenario's, else 0."))
    var seed: UInt64?

    @Flag(
        name: .customLong("allow-commands"),
        help: """
            Let any file run programs with "driver: command", also one of a folder, of a home or of the API. Default: \
            only files that are named on the command line.
            """
    )
    var allowCommands = false

    @Option(
        name: .customLong("record"),
        help: .value("folder", "Store what AirPlay receivers hear as WAV files in this folder. Default: nowhere.")
    )
    var recordings: String?

    @Option(help: .console)
    var console: ConsoleAddress?

    func validate() throws {
        guard timeScale.map(BehaviorClock.scaleRange.contains) ?? true else {
            throw ValidationError("--time-scale must be a number from 0.001 to 1000000.")
        }
        guard setupCode.map({ SetupCode($0) != nil }) ?? true else {
            throw ValidationError("That is not a setup code; \(ServeSettings.setupCodeHelp).")
        }
    }
}

extension ArgumentHelp {
    /// The help of `--console`.
    static var console: ArgumentHelp {
        .value(
            "address:port|off",
            """
            Where the API answers over TCP: an address and a port, auto, or off for only the Unix socket in the state \
            folder. Default: auto, which is 127.0.0.1:8181 or the next free port; of 'hap run' and 'hap home run' off.
            """
        )
    }
}

extension AdvertiseMode: ExpressibleByArgument {}

extension ConsoleAddress: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}
