import AccessoryFiles
import AccessoryModel
import Documents
import FoundationEssentials
import HAPCore
import Hosting
import Logging
import WebConsole
import YAMLDocuments

/// The content of a configuration file.
///
/// Each key is an option of `hap serve`.
struct ConfigurationFile: Sendable {
    var files: [String]?
    var accessories: String?
    var port: UInt16?
    var copies: Int?
    var bind: String?
    var state: String?
    var setupCode: SetupCode?
    var advertise: AdvertiseMode?
    var simulate: SimulationMode?
    var strict: Bool?
    var readyFile: String?
    var logLevel: Logger.Level?
    var home: String?
    var scenario: String?
    var timeScale: Double?
    var seed: UInt64?
    var console: ConsoleAddress?
    var trace: String?

    /// The maximum size of a file in bytes.
    private static let maximumSize = 1 << 20

    /// Reads the given file, or else the default file if it exists, or else nothing.
    ///
    /// `/dev/null` stands for no configuration.
    ///
    /// - Throws: ``CommandFailure`` with file, line and remedy, for all errors of the file at once.
    static func load(_ path: String?) throws -> ConfigurationFile {
        let defaultPath = CommandContext.current.configurationFile
        if path == nil, !FileManager.default.fileExists(atPath: defaultPath) {
            return ConfigurationFile()
        }
        let path = path ?? defaultPath
        guard path != "/dev/null" else { return ConfigurationFile() }
        let bytes: [UInt8]
        do throws(DocumentError) {
            bytes = try RegularFile(path, upTo: maximumSize).bytes
        } catch {
            let reasons = error.diagnostics.map(\.reason).joined(separator: "; ")
            throw CommandFailure.fileContent("The configuration file \(path) cannot be read: \(reasons).")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure.fileContent("\(path) is not UTF-8 text; save it as UTF-8.")
        }
        return try ConfigurationFile(text, path: path)
    }

    init() {}

    init(_ text: String, path: String) throws {
        self.init()
        let lines = text.split(whereSeparator: \.isNewline)
        // A file without any keys is valid.
        guard !lines.allSatisfy({ $0.allSatisfy(\.isWhitespace) || $0.first == "#" }) else { return }
        var reader = DocumentReader()
        // Syntax errors are reported alone, because the file may not be a configuration at all.
        let root = TextDocument.read(Array(text.utf8), in: path, firstKey: "port", &reader.diagnostics)?.root
        let file = reader.diagnostics.hasErrors ? nil : root.flatMap { Self.format.read($0, &reader) }
        guard let file, !reader.diagnostics.hasErrors else {
            throw FileSubject.configuration.failure(
                for: path,
                CommandFailure(inConfiguration: reader.diagnostics.ordered)
            )
        }
        self = file
    }

    /// The keys of a configuration file.
    static var keys: [String] { properties.map(\.key.name) }

    private static let format = ObjectFormat(ConfigurationFile(), properties).format()

    private static let properties: [Property<ConfigurationFile>] = [
        .optional("files", \.files, .files, "The files to serve."),
        .optional(
            "accessories",
            \.accessories,
            .text("folder", "write the path of a folder"),
            "The folder whose accessory files are all served."
        ),
        .optional("port", \.port, .port, "The port of the first server."),
        .optional("copies", \.copies, .copies, "The number of garages to serve without files."),
        .optional("bind", \.bind, .text("address", "write one, such as 127.0.0.1"), "The address to listen on."),
        .optional("state", \.state, .text("folder", "write the path of a folder"), "The state folder."),
        .optional("setup-code", \.setupCode, .setupCode, "The setup code of all servers."),
        .optional("advertise", \.advertise, .advertise, "Whether the servers are announced."),
        .optional(
            "simulate",
            \.simulate,
            .word([SimulationMode.automatic, .off].map { ($0.rawValue, $0) }),
            "Whether devices are simulated."
        ),
        .optional("strict", \.strict, .boolean, "Whether numbers that do not match their step are refused."),
        .optional(
            "ready-file",
            \.readyFile,
            .text("file", "write the path of a file"),
            "A JSON file to write once all servers listen."
        ),
        .optional(
            "log-level",
            \.logLevel,
            .word(Logger.Level.allCases.map { ($0.rawValue, $0) }),
            "The minimum level of the entries that are logged to standard error."
        ),
        .optional("home", \.home, .text("file", "write the path of a home file"), "The home to run."),
        .optional("scenario", \.scenario, .text("file", "write the path of a scenario"), "The scenario to run."),
        .optional("time-scale", \.timeScale, .timeScale, "The number of simulated seconds per real second."),
        .optional("seed", \.seed, .integer(in: 0...UInt64(Int64.max)), "The seed of random numbers."),
        .optional("console", \.console, .console, "Where the API answers over TCP, or off."),
        .optional("trace", \.trace, .text("file", "write the path of a file"), "The file of the trace."),
    ]
}

extension Format<[String]> {
    fileprivate static let files = Format(
        schema: Format.list(of: .text).schema,
        read: { field, reader in
            guard let files = Format.list(of: .text).read(field, &reader) else { return nil }
            guard 1...HostSettings.serverCountRange.upperBound ~= files.count, !files.contains("") else {
                reader.report(field, "write a list of files, such as [garage.yaml]")
                return nil
            }
            return files
        },
        write: { .list($0.map(DocumentTree.text)) }
    )
}

extension Format<String> {
    fileprivate static func text(_ name: String, _ remedy: String) -> Format {
        .parsed(name, remedy, pattern: ".", read: { $0.isEmpty ? nil : $0 }, write: { $0 })
    }
}

extension Format<UInt16> {
    fileprivate static let port = Format<UInt64>.integer(in: 0...65_535).map({ UInt16(clamping: $0) }, { UInt64($0) })
}

extension Format<Int> {
    fileprivate static let copies = Format<UInt64>
        .integer(
            in: UInt64(HostSettings.serverCountRange.lowerBound)...UInt64(HostSettings.serverCountRange.upperBound)
        )
        .map({ Int(clamping: $0) }, { UInt64(clamping: $0) })
}

extension Format<SetupCode> {
    fileprivate static let setupCode = Format.parsed(
        "setup code",
        ServeSettings.setupCodeHelp,
        pattern: SetupCode.pattern,
        read: { SetupCode($0) },
        write: { _ in "" }
    )
}

extension Format<ConsoleAddress> {
    fileprivate static let console = Format.parsed(
        "address of the console",
        ConsoleAddress.help,
        pattern: ".",
        read: { ConsoleAddress($0) },
        write: { _ in "" }
    )
}

extension Format<AdvertiseMode> {
    /// A YAML 1.1 reader turns `on` and `off` into `true` and `false`.
    fileprivate static let advertise = Format.word([
        ("auto", .auto), ("on", .on), ("off", .off), ("true", .on), ("false", .off),
    ])
}

extension Format<Double> {
    fileprivate static let timeScale = Format.parsed(
        "time scale",
        "write a number from 0.001 to 1000000",
        pattern: "^[0-9.]+$",
        read: { text in
            JSONNumber(decimal: text).flatMap { BehaviorClock.scaleRange.contains($0.double) ? $0.double : nil }
        },
        write: \.description
    )
}
