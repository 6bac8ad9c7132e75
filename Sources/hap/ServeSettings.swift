import HAPCore

/// What `hap serve` goes by: the command line over the configuration file over the defaults.
struct ServeSettings: Sendable {
    /// The port of the first server; 0 lets each keep one of its own.
    var port: UInt16
    /// How many servers there are, from 1.
    var copies: Int
    var bindAddress: String?
    var stateLocation: StateLocation
    var setupCode: SetupCode?
    var advertise: AdvertiseMode
    var isStrict: Bool
    var readyFile: String?

    /// How many servers one process serves.
    static let copiesRange = 1...1_000
    /// How the number of servers is written, as the end of a sentence.
    static let copiesForm = "write a number from \(copiesRange.lowerBound) to \(copiesRange.upperBound)"
    /// How a setup code is written, as the end of a sentence.
    static let setupCodeForm =
        "write eight digits as XXX-XX-XXX, not all equal, and neither 123-45-678 nor 876-54-321"

    /// Merges the two.
    ///
    /// - Throws: ``CommandFailure`` with what is wrong and how it is written right.
    init(_ options: ServeOptions, environment: [String: String]) throws(CommandFailure) {
        let file = try ConfigurationFile.load(options.config)
        port = options.port ?? file.port ?? 0
        copies = options.copies ?? file.copies ?? 1
        guard Self.copiesRange.contains(copies) else {
            throw CommandFailure(.usage, "--copies \(copies): \(Self.copiesForm).")
        }
        guard port == 0 || Int(port) + copies - 1 <= Int(UInt16.max) else {
            throw CommandFailure(
                .usage,
                "\(copies) servers from port \(port) on would end beyond 65535; name a lower port, or 0 for any."
            )
        }
        bindAddress = options.bind ?? file.bind
        stateLocation = try StateLocation(options.state ?? file.state, environment: environment)
        if let text = options.setupCode {
            // The text is not repeated: what is mistyped by one digit tells the code.
            guard let code = SetupCode(text) else {
                throw CommandFailure(.usage, "That is not a setup code; \(Self.setupCodeForm).")
            }
            setupCode = code
        } else {
            setupCode = file.setupCode
        }
        advertise = options.advertise ?? file.advertise ?? .auto
        guard advertise != .on || copies <= ServerFleet.advertisedLimit else {
            throw CommandFailure(
                .usage,
                "No more than \(ServerFleet.advertisedLimit) servers can be advertised; serve fewer, or take "
                    + "--advertise auto, which advertises the first."
            )
        }
        isStrict = options.strict ?? file.strict ?? false
        readyFile = options.readyFile ?? file.readyFile
    }
    /// The port of a server, counted from 0: the ones after the first follow it.
    func port(ofServer index: Int) -> UInt16 {
        port == 0 ? 0 : UInt16(clamping: Int(port) + index)
    }
}
