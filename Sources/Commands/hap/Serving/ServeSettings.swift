import AccessoryModel
import Documents
import HAPCore
import HAPServer
import Hosting
import Logging
import Simulation
import WebConsole

/// The settings of `hap serve`: the command line overrides the configuration file, which overrides the defaults.
struct ServeSettings: Sendable {
    /// The files to serve.
    ///
    /// The definitions that the home file names are served in addition. If there are neither, the Kilgo garage is
    /// served.
    var files: [NamedFile]
    /// The folder whose accessory files are all served.
    var accessoriesFolder: NamedFile?
    /// The number of garages to serve when there are no files, at least 1.
    var copies: Int
    var stateLocation: StateLocation
    /// How the servers are started.
    var host = HostSettings()
    var readyFile: String?
    /// The minimum level of the entries that are logged to standard error, or `nil` for no log.
    var logLevel: Logger.Level?
    /// The file of the home that runs inside the servers.
    var homeFile: NamedFile?
    /// The files of the scenarios that can run alongside the servers; the first one runs at the start.
    var scenarioFiles: [NamedFile] = []
    /// Where the console answers over TCP.
    var console = ConsoleAddress.automatic
    /// Whether commands are read from standard input.
    var readsCommands = false
    /// Whether the output is JSON.
    var isJSON = false
    /// The file of the trace.
    var traceFile: String?

    /// How to write the number of servers, as the end of a sentence.
    static let copiesHelp =
        "write a number from \(HostSettings.serverCountRange.lowerBound) to \(HostSettings.serverCountRange.upperBound)"
    /// How to write a setup code, as the end of a sentence.
    static let setupCodeHelp =
        "write eight digits as XXX-XX-XXX, not all equal, and neither 123-45-678 nor 876-54-321"

    /// Creates the default settings for some files.
    init(files: [NamedFile], stateLocation: StateLocation) {
        self.files = files
        self.stateLocation = stateLocation
        copies = 1
        host.drivers = { DriverKind.all }
    }

    /// Merges the command line and the configuration file.
    ///
    /// - Throws: ``CommandFailure`` that says what is wrong and how to write it correctly.
    init(_ options: ServeOptions, environment: [String: String]) throws {
        let file = try ConfigurationFile.load(options.config)
        let server = options.server
        host.port = server.port ?? file.port ?? 0
        host.drivers = { DriverKind.all }
        (files, copies) = try Self.filesOrCopies(options, file)
        accessoriesFolder = Self.file(options.accessories, file.accessories)
        guard accessoriesFolder == nil || copies == 1 else { throw CommandFailure.copiesOfFiles(.usage) }
        host.bindAddress = server.bind ?? file.bind
        stateLocation = try StateLocation(options.state ?? file.state, environment: environment)
        host.setupCode = server.setupCode.flatMap { SetupCode($0) } ?? file.setupCode
        host.advertise = server.advertise ?? file.advertise ?? .auto
        host.simulation = options.simulate ?? file.simulate
        host.isStrict = options.strict ?? file.strict ?? false
        host.allowsCommands = server.allowCommands
        host.recordings = server.recordings
        readyFile = server.readyFile ?? file.readyFile
        logLevel = options.logLevel ?? file.logLevel
        homeFile = Self.file(options.home, file.home)
        host.runsHome = homeFile != nil
        scenarioFiles =
            options.scenario.isEmpty
            ? [Self.file(nil, file.scenario)].compactMap(\.self) : options.scenario.map { NamedFile($0) }
        host.seed = server.seed ?? file.seed
        console = server.console ?? file.console ?? .automatic
        guard options.commands == nil || options.commands == "-" else {
            throw CommandFailure.usage("Commands are read from standard input only; write --commands -.")
        }
        readsCommands = options.commands != nil
        isJSON = options.json
        traceFile = options.trace ?? file.trace
        if let scale = server.timeScale ?? file.timeScale { host.behaviorClock.setScale(scale, at: .now) }
        try host.checkServerCount(max(files.count, copies))
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
    ) throws -> (files: [NamedFile], copies: Int) {
        let isOnCommandLine = !options.files.isEmpty || options.copies != nil
        let files =
            isOnCommandLine
            ? options.files.map { NamedFile($0) } : (file.files ?? []).map { NamedFile($0, namedBy: .file) }
        let copies = isOnCommandLine ? options.copies : file.copies
        guard files.isEmpty || copies ?? 1 == 1 else {
            throw CommandFailure.copiesOfFiles(isOnCommandLine ? .usage : .fileContent)
        }
        guard files.count <= HostSettings.serverCountRange.upperBound else {
            throw CommandFailure.usage(
                "\(files.count) files are too many; serve \(HostSettings.serverCountRange.upperBound) at most."
            )
        }
        guard copies.map(HostSettings.serverCountRange.contains) ?? true else {
            throw CommandFailure.usage("--copies \(copies ?? 0): \(copiesHelp).")
        }
        return (files, copies ?? 1)
    }
}

extension ServeSettings {
    /// Adopts the settings of a scenario, unless the command line or the configuration file sets them.
    mutating func adoptSettings(of source: ScenarioSource) {
        if files.isEmpty, copies == 1 { files = source.files }
        homeFile = homeFile ?? source.home
        host.runsHome = homeFile != nil
        host.seed = host.seed ?? source.scenario.seed
        host.runsScenario = true
    }
}

extension HostedContent {
    /// Loads the accessories to serve: those of the files, and those whose definitions the home file names.
    ///
    /// - Parameters:
    ///   - settings: The files and how they are served.
    ///   - home: The home file of the settings.
    /// - Returns: The accessories, and the warnings about them.
    /// - Throws: ``CommandFailure`` with the errors in the home file, or in all other files.
    static func load(
        of settings: ServeSettings,
        home: HomeSource?
    ) throws -> (served: [HostedContent], warnings: [Diagnostic]) {
        let loaded = try load(
            settings.files,
            home: home,
            copies: settings.copies,
            hasFolder: settings.accessoriesFolder != nil,
            settings.host.simulation,
            seed: settings.host.seed ?? 0,
            allowsCommands: settings.host.allowsCommands
        )
        try settings.host.checkServerCount(loaded.served.count)
        return loaded
    }
}
