import HAPCore

/// What `hap serve` goes by: the command line over the configuration file over the defaults.
struct ServeSettings: Sendable {
    var port: UInt16
    var bindAddress: String?
    var stateLocation: StateLocation
    var setupCode: SetupCode?
    var advertise: AdvertiseMode
    var isStrict: Bool
    var readyFile: String?

    /// How a setup code is written, as the end of a sentence.
    static let setupCodeForm =
        "write eight digits as XXX-XX-XXX, not all equal, and neither 123-45-678 nor 876-54-321"

    /// Merges the two.
    ///
    /// - Throws: ``CommandFailure`` with what is wrong and how it is written right.
    init(_ options: ServeOptions, environment: [String: String]) throws(CommandFailure) {
        let file = try ConfigurationFile.load(options.config)
        port = options.port ?? file.port ?? 0
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
        isStrict = options.strict ?? file.strict ?? false
        readyFile = options.readyFile ?? file.readyFile
    }
}
