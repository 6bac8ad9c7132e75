import AccessoryModel
import HAPCore
import HAPServer
import Hosting
import Logging
import Simulation

/// The settings of `hap serve`: the command line overrides the configuration file, which overrides the defaults.
struct ServeSettings: Sendable {
    /// The files to serve.
    ///
    /// The definitions that the home file names are served in addition. If there are neither, the Kilgo garage is
    /// served.
    var files: [NamedFile]
    /// The folder whose accessory files are all served.
    var accessoriesFolder: NamedFile?
    /// The port of the first server.
    ///
    /// If 0, each server picks its own port and keeps it.
    var port: UInt16
    /// The number of garages to serve when there are no files, at least 1.
    var copies: Int
    var bindAddress: String?
    var stateLocation: StateLocation
    var setupCode: SetupCode?
    var advertise: AdvertiseMode
    /// Whether values are simulated, or `nil` for the default of each file.
    var simulation: SimulationMode?
    var isStrict: Bool
    var readyFile: String?
    /// The minimum level of the entries that are logged to standard error, or `nil` for no log.
    var logLevel: Logger.Level?
    /// The file of the home that runs inside the servers.
    var homeFile: NamedFile?
    /// The file of the scenario that runs alongside the servers.
    var scenarioFile: NamedFile?
    /// The seed of the random numbers.
    var seed: UInt64?
    /// The clock that behaviors start with.
    var behaviorClock = BehaviorClock()
    /// Whether a scenario runs on the servers.
    var runsScenario = false
    /// Where the console answers over TCP.
    var console = ConsoleAddress.automatic
    /// Whether commands are read from standard input.
    var readsCommands = false
    /// Whether the output is JSON.
    var isJSON = false
    /// The file of the trace.
    var traceFile: String?

    /// The number of servers that one process can serve.
    static let serverCountRange = 1...1_000
    /// How to write the number of servers, as the end of a sentence.
    static let copiesHelp = "write a number from \(serverCountRange.lowerBound) to \(serverCountRange.upperBound)"
    /// How to write a setup code, as the end of a sentence.
    static let setupCodeHelp =
        "write eight digits as XXX-XX-XXX, not all equal, and neither 123-45-678 nor 876-54-321"

    /// How to write the time scale, as a sentence.
    static let timeScaleHelp = "--time-scale must be a number from 0.001 to 1000000."

    /// Creates the default settings for some files.
    init(files: [NamedFile], stateLocation: StateLocation) {
        self.files = files
        self.stateLocation = stateLocation
        port = 0
        copies = 1
        advertise = .auto
        isStrict = false
    }

    /// Merges the command line and the configuration file.
    ///
    /// - Throws: ``CommandFailure`` that says what is wrong and how to write it correctly.
    init(_ options: ServeOptions, environment: [String: String]) throws(CommandFailure) {
        let file = try ConfigurationFile.load(options.config)
        port = options.port ?? file.port ?? 0
        (files, copies) = try Self.filesOrCopies(options, file)
        accessoriesFolder = Self.file(options.accessories, file.accessories)
        guard accessoriesFolder == nil || copies == 1 else { throw CommandFailure.copiesOfFiles(.usage) }
        bindAddress = options.bind ?? file.bind
        stateLocation = try StateLocation(options.state ?? file.state, environment: environment)
        if let text = options.setupCode {
            // The text is not repeated, because a code with one mistyped digit nearly gives the real one away.
            guard let code = SetupCode(text) else {
                throw CommandFailure.usage("That is not a setup code; \(Self.setupCodeHelp).")
            }
            setupCode = code
        } else {
            setupCode = file.setupCode
        }
        advertise = options.advertise ?? file.advertise ?? .auto
        simulation = options.simulate ?? file.simulate
        isStrict = options.strict ?? file.strict ?? false
        readyFile = options.readyFile ?? file.readyFile
        logLevel = options.logLevel ?? file.logLevel
        homeFile = Self.file(options.home, file.home)
        scenarioFile = Self.file(options.scenario, file.scenario)
        seed = options.seed ?? file.seed
        console = options.console ?? file.console ?? .automatic
        guard options.commands == nil || options.commands == "-" else {
            throw CommandFailure.usage("Commands are read from standard input only; write --commands -.")
        }
        readsCommands = options.commands != nil
        isJSON = options.json
        traceFile = options.trace ?? file.trace
        if let scale = options.timeScale ?? file.timeScale {
            guard BehaviorClock.scaleRange.contains(scale) else { throw CommandFailure.usage(Self.timeScaleHelp) }
            behaviorClock.setScale(scale, at: .now)
        }
        try checkServerCount(max(files.count, copies))
    }

    /// Checks that the ports and the message bus suffice for a number of servers.
    func checkServerCount(_ count: Int) throws(CommandFailure) {
        guard port == 0 || Int(port) + count - 1 <= Int(UInt16.max) else {
            throw CommandFailure.usage(
                "\(count) servers from port \(port) on need ports above 65535; use a lower port, or 0 for any."
            )
        }
        guard advertise != .on || count <= ServerFleet.maximumAdvertised else {
            throw CommandFailure.usage(
                "At most \(ServerFleet.maximumAdvertised) servers can be advertised; serve fewer, or use "
                    + "--advertise auto, which advertises only the first ones."
            )
        }
    }

    /// Returns the file on the command line, or else that of the configuration file.
    private static func file(_ argument: String?, _ configured: String?) -> NamedFile? {
        argument.map { NamedFile($0) } ?? configured.map { NamedFile($0, namedBy: .file) }
    }

    /// Returns the files or the number of garages.
    ///
    /// If the command line sets either of them, both settings of the configuration file are ignored.
    private static func filesOrCopies(
        _ options: ServeOptions,
        _ file: ConfigurationFile
    ) throws(CommandFailure) -> (files: [NamedFile], copies: Int) {
        let isOnCommandLine = !options.files.isEmpty || options.copies != nil
        let files =
            isOnCommandLine
            ? options.files.map { NamedFile($0) } : (file.files ?? []).map { NamedFile($0, namedBy: .file) }
        let copies = isOnCommandLine ? options.copies : file.copies
        guard files.isEmpty || copies ?? 1 == 1 else {
            throw CommandFailure.copiesOfFiles(isOnCommandLine ? .usage : .fileContent)
        }
        guard files.count <= serverCountRange.upperBound else {
            throw CommandFailure.usage(
                "\(files.count) files are too many; serve \(serverCountRange.upperBound) at most."
            )
        }
        guard copies.map(serverCountRange.contains) ?? true else {
            throw CommandFailure.usage("--copies \(copies ?? 0): \(copiesHelp).")
        }
        return (files, copies ?? 1)
    }

    /// Returns the port of a server, counted from 0.
    ///
    /// The servers use consecutive ports.
    func port(ofServer index: Int) -> UInt16 {
        port == 0 ? 0 : UInt16(clamping: Int(port) + index)
    }
}

extension ServeSettings {
    /// Adopts the settings of a scenario, unless the command line or the configuration file sets them.
    mutating func adoptSettings(of source: ScenarioSource) {
        if files.isEmpty, copies == 1 { files = source.files }
        homeFile = homeFile ?? source.home
        seed = seed ?? source.scenario.seed
        runsScenario = true
    }
}
