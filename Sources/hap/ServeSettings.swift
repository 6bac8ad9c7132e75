import AccessoryModel
import HAPCore
import Logging
import Simulation
import SimulationRuntime

/// What `hap serve` goes by: the command line over the configuration file over the defaults.
struct ServeSettings: Sendable {
    /// What is served; without any it is the Kilgo garage.
    var files: [String]
    /// The port of the first server; 0 lets each keep one of its own.
    var port: UInt16
    /// How many garages are served when there are no files, from 1.
    var copies: Int
    var bindAddress: String?
    var stateLocation: StateLocation
    var setupCode: SetupCode?
    var advertise: AdvertiseMode
    /// Whether values are moved, `nil` when that is as usual for what is served.
    var simulation: SimulationMode?
    var isStrict: Bool
    var readyFile: String?
    /// The least level of the entries that are logged to standard error; `nil` without a log.
    var logLevel: Logger.Level?
    /// The file of the home that runs inside the servers.
    var homeFile: String?
    /// Whether there is something that can inject faults; without it, the servers have nothing that they ask for them.
    var injectsFaults = false
    /// The file of the scenario that runs beside.
    var scenarioFile: String?
    /// What chance is drawn from.
    var seed: UInt64?
    /// The clock that behaviors begin with.
    var behaviorClock = BehaviorClock()
    /// Whether a scenario runs on the servers.
    var runsScenario = false

    /// How many servers one process serves.
    static let serverCountRange = 1...1_000
    /// How the number of servers is written, as the end of a sentence.
    static let copiesHelp = "write a number from \(serverCountRange.lowerBound) to \(serverCountRange.upperBound)"
    /// How a setup code is written, as the end of a sentence.
    static let setupCodeHelp =
        "write eight digits as XXX-XX-XXX, not all equal, and neither 123-45-678 nor 876-54-321"

    /// How fast time passes is written, as a sentence.
    static let timeScaleHelp = "Time passes 0.001 to 1000000 times as fast; write such a number after --time-scale."

    /// What is served with everything else as it is by default.
    init(files: [String], stateLocation: StateLocation) {
        self.files = files
        self.stateLocation = stateLocation
        port = 0
        copies = 1
        advertise = .auto
        isStrict = false
    }

    /// Merges the two.
    ///
    /// - Throws: ``CommandFailure`` with what is wrong and how it is written right.
    init(_ options: ServeOptions, environment: [String: String]) throws(CommandFailure) {
        let file = try ConfigurationFile.load(options.config)
        port = options.port ?? file.port ?? 0
        (files, copies) = try Self.filesOrCopies(options, file)
        let serverCount = max(files.count, copies)
        guard port == 0 || Int(port) + serverCount - 1 <= Int(UInt16.max) else {
            throw CommandFailure.usage(
                "\(serverCount) servers from port \(port) on would end beyond 65535; name a lower port, or 0 for any."
            )
        }
        bindAddress = options.bind ?? file.bind
        stateLocation = try StateLocation(options.state ?? file.state, environment: environment)
        if let text = options.setupCode {
            // The text is not repeated: what is mistyped by one digit tells the code.
            guard let code = SetupCode(text) else {
                throw CommandFailure.usage("That is not a setup code; \(Self.setupCodeHelp).")
            }
            setupCode = code
        } else {
            setupCode = file.setupCode
        }
        advertise = options.advertise ?? file.advertise ?? .auto
        guard advertise != .on || serverCount <= ServerFleet.maximumAdvertised else {
            throw CommandFailure.usage(
                "No more than \(ServerFleet.maximumAdvertised) servers can be advertised; serve fewer, or take "
                    + "--advertise auto, which advertises the first."
            )
        }
        simulation = options.simulate ?? file.simulate
        isStrict = options.strict ?? file.strict ?? false
        readyFile = options.readyFile ?? file.readyFile
        logLevel = options.logLevel ?? file.logLevel
        homeFile = options.home ?? file.home
        scenarioFile = options.scenario ?? file.scenario
        seed = options.seed ?? file.seed
        if let scale = options.timeScale ?? file.timeScale {
            guard BehaviorClock.scaleRange.contains(scale) else { throw CommandFailure.usage(Self.timeScaleHelp) }
            behaviorClock.setScale(scale, at: .zero)
        }
    }

    /// The files or the number of garages: what the command line says of either leaves nothing of what the file says.
    private static func filesOrCopies(
        _ options: ServeOptions,
        _ file: ConfigurationFile
    ) throws(CommandFailure) -> (files: [String], copies: Int) {
        let isOnCommandLine = !options.files.isEmpty || options.copies != nil
        let files = isOnCommandLine ? options.files : file.files ?? []
        let copies = isOnCommandLine ? options.copies : file.copies
        guard files.isEmpty || copies ?? 1 == 1 else {
            throw CommandFailure(
                isOnCommandLine ? .usage : .fileContent,
                "Copies are of the Kilgo garage; serve either files or copies."
            )
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

    /// The port of a server, counted from 0: the ones after the first follow it.
    func port(ofServer index: Int) -> UInt16 {
        port == 0 ? 0 : UInt16(clamping: Int(port) + index)
    }
}

extension ServeSettings {
    /// Takes what a scenario says; the command line and the configuration win.
    mutating func adoptSettings(of source: ScenarioSource) {
        if files.isEmpty, copies == 1 { files = source.files }
        homeFile = homeFile ?? source.home
        seed = seed ?? source.scenario.seed
        runsScenario = true
        injectsFaults = true
    }
}
