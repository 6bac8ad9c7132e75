import AccessoryModel
import ArgumentParser
import HAPController
import HAPCore

/// What all commands of the controller take.
struct ControllerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where the pairings are kept. Default: $XDG_STATE_HOME/hap or ~/.local/state/hap.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var state: String?

    @Flag(help: "Print JSON.")
    var json = false

    /// Opens the controller, and closes it after the work, however that ends.
    ///
    /// - Throws: ``CommandFailure``, which says what a ``ControllerError`` means to scripts.
    func withController<Result>(_ work: (Controller) async throws -> Result) async throws -> Result {
        let folder = try StateLocation(state)
        do {
            return try await ControllerStateStore.open(folder: folder.path)
                .closing { store in
                    try await Controller.open(store: store).closing(work)
                }
        } catch {
            throw CommandFailure.commandError(for: error)
        }
    }

    /// Prints a text, or an object with `--json`.
    func write(
        _ text: @autoclosure () -> String,
        json object: (inout JSONWriter) -> Void
    ) throws(CommandFailure) {
        try Output.write(json ? JSONWriter.line(object) : text())
    }
}

extension AccessoryTarget {
    /// Reads `HOST:PORT`, `[ADDRESS]:PORT` or a device ID; `nil` for anything else.
    init?(argument text: String) {
        if let device = DeviceID(text) {
            self = .device(device)
        } else if let place = AccessoryEndpoint(argument: text) {
            self = .address(host: place.host, port: place.port)
        } else {
            return nil
        }
    }
}

extension SetupInput {
    /// Whether a text is a setup code, or looks like the text of a QR code.
    static func isCode(_ text: String) -> Bool {
        SetupCode(text) != nil || text.uppercased().hasPrefix("X-HM:")
    }

    /// Reads a setup code or the text of a QR code; the text is not repeated in what is thrown.
    init(argument text: String) throws(CommandFailure) {
        if text.uppercased().hasPrefix("X-HM:") {
            guard let payload = SetupPayload(parsing: text) else {
                throw CommandFailure.usage("That is no text of a QR code; one is X-HM:// with 13 characters behind it.")
            }
            guard payload.setupCode != nil else {
                throw CommandFailure.usage("That QR code holds no setup code; give the code as XXX-XX-XXX.")
            }
            self = .payload(payload)
        } else if let code = SetupCode(text) {
            self = .code(code)
        } else {
            throw CommandFailure.usage("That is not a setup code; \(ServeSettings.setupCodeHelp).")
        }
    }
}
