import AccessoryModel
import ArgumentParser
import Documents
import HAPController
import HAPCore
import Hosting
import Resources

/// The options that all commands of the controller have.
struct ControllerOptions: ParsableArguments {
    @Option(
        help: .value(
            "folder",
            "The folder that stores the pairings. Default: $XDG_STATE_HOME/hap or ~/.local/state/hap."
        ),
        completion: .directory
    )
    var state: String?

    @Flag(help: "Print JSON.")
    var json = false

    /// Runs some work with an open controller, and closes it even if the work throws.
    ///
    /// - Throws: ``CommandFailure`` without a folder, `StoreError`, `ControllerError`, or the error of the work.
    func withController<Result>(_ work: (Controller) async throws -> Result) async throws -> Result {
        let folder = try StateLocation(state)
        return try await ControllerStateStore.open(folder: folder.path)
            .closing { store in
                try await Controller.open(store: store).closing(work)
            }
    }

    /// Prints a text, or a resource if `--json` is given.
    func write<Resource>(
        _ text: @autoclosure () -> String,
        _ resource: Resource,
        _ format: Format<Resource>
    ) throws {
        try Output.write(text(), resource, format, asJSON: json)
    }
}

extension AccessoryTarget {
    /// Reads `HOST:PORT`, `[ADDRESS]:PORT` or a device ID, or returns `nil` for anything else.
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
    /// Returns whether a text is a setup code, or looks like the text of a QR code.
    static func isCode(_ text: String) -> Bool {
        SetupCode(text) != nil || text.uppercased().hasPrefix("X-HM:")
    }

    /// Reads a setup code or the text of a QR code.
    ///
    /// Errors never contain the text.
    init(argument text: String) throws {
        if text.uppercased().hasPrefix("X-HM:") {
            guard let payload = SetupPayload(parsing: text) else {
                throw CommandFailure.usage("That is not the text of a QR code; write X-HM:// and 13 characters.")
            }
            guard payload.setupCode != nil else {
                throw CommandFailure.usage("That QR code contains no setup code; write the code as XXX-XX-XXX.")
            }
            self = .payload(payload)
        } else if let code = SetupCode(text) {
            self = .code(code)
        } else {
            throw CommandFailure.usage("That is not a setup code; \(ServeSettings.setupCodeHelp).")
        }
    }
}
