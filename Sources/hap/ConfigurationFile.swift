import AccessoryFiles
import AccessoryModel
import Foundation
import HAPCore
import Yams

/// What a configuration file says; every key is an option of `hap serve`.
struct ConfigurationFile: Sendable {
    var files: [String]?
    var port: UInt16?
    var copies: Int?
    var bind: String?
    var state: String?
    var setupCode: SetupCode?
    var advertise: AdvertiseMode?
    var simulate: SimulationMode?
    var strict: Bool?
    var readyFile: String?
    var home: String?
    var scenario: String?
    var timeScale: Double?
    var seed: UInt64?

    static let defaultPath = "Config/hap.yaml"
    /// How many bytes a file has at most.
    private static let maximumSize = 1 << 20
    /// What it can say.
    static let keys = [
        "files", "port", "copies", "bind", "state", "setup-code", "advertise", "simulate", "strict", "ready-file",
        "home", "scenario", "time-scale", "seed",
    ]

    /// Reads the named file, else the default one when it is there, else nothing.
    ///
    /// - Throws: ``CommandFailure`` naming file, line and remedy; all errors of the file at once.
    static func load(_ path: String?) throws(CommandFailure) -> ConfigurationFile {
        if path == nil, !FileManager.default.fileExists(atPath: defaultPath) {
            return ConfigurationFile()
        }
        let path = path ?? defaultPath
        // One byte more shows a file that is too large, without reading all of it.
        guard let file = FileHandle(forReadingAtPath: path),
            let data = try? file.read(upToCount: maximumSize + 1) ?? Data()
        else {
            throw CommandFailure(
                .fileContent,
                "The configuration file \(path) cannot be read; check the name and its permissions."
            )
        }
        guard data.count <= maximumSize else {
            throw CommandFailure(.fileContent, "\(path) is larger than 1 MiB; name a configuration file with --config.")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw CommandFailure(.fileContent, "\(path) is not UTF-8 text; save it as UTF-8.")
        }
        return try ConfigurationFile(text, path: path)
    }

    init() {}

    init(_ text: String, path: String) throws(CommandFailure) {
        // Where aliases stand for more than can be followed, Yams would follow them for ever.
        var problems =
            text.contains("&") && text.contains("*")
            ? AccessoryFile.errors(inText: Array(text.utf8), name: path, firstKey: "port") : []
        guard problems.isEmpty else { throw CommandFailure(inConfiguration: problems) }
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch {
            throw CommandFailure(inConfiguration: [Self.finding(error, path)])
        }
        guard let root else { return }
        guard let mapping = root.mapping else {
            throw CommandFailure(inConfiguration: [
                FileFinding(
                    .error,
                    in: path,
                    at: TextPosition(line: 1, column: 1),
                    "write one 'key: value' a line, such as 'port: 51826'"
                )
            ])
        }
        for (keyNode, value) in mapping {
            let key = keyNode.string ?? ""
            if let problem = take(key, value) {
                let place = keyNode.mark.map { TextPosition(line: $0.line, column: $0.column) }
                problems.append(
                    FileFinding(.error, in: path, at: place ?? TextPosition(line: 1, column: 1), path: key, problem)
                )
            }
        }
        guard problems.isEmpty else { throw CommandFailure(inConfiguration: problems) }
    }

    /// Takes one key, or says what is wrong with it.
    private mutating func take(_ key: String, _ value: Node) -> String? {
        switch key {
        case "files":
            files = Self.texts(value)
            return files == nil ? "write a list of files, such as [garage.yaml]" : nil
        case "port":
            port = value.int.flatMap(UInt16.init(exactly:))
            return port == nil ? "write a number from 0 to 65535" : nil
        case "copies":
            copies = value.int.flatMap { ServeSettings.serversRange.contains($0) ? $0 : nil }
            return copies == nil ? ServeSettings.copiesForm : nil
        case "bind":
            bind = Self.text(value)
            return bind == nil ? "write an address, such as 127.0.0.1" : nil
        case "state":
            state = Self.text(value)
            return state == nil ? "write the path of a folder" : nil
        case "setup-code":
            setupCode = value.string.flatMap { SetupCode($0) }
            return setupCode == nil ? ServeSettings.setupCodeForm : nil
        case "advertise":
            // YAML 1.1 reads on and off as Booleans.
            advertise = value.string.flatMap(AdvertiseMode.init(rawValue:)) ?? value.bool.map { $0 ? .on : .off }
            return advertise == nil ? "write auto, on or off" : nil
        case "simulate":
            simulate = value.string.flatMap(SimulationMode.init(rawValue:))
            return simulate == nil ? "write auto or none" : nil
        case "strict":
            strict = value.bool
            return strict == nil ? "write true or false" : nil
        case "ready-file":
            readyFile = Self.text(value)
            return readyFile == nil ? "write the path of a file" : nil
        case "home":
            home = Self.text(value)
            return home == nil ? "write the path of a home file" : nil
        case "scenario":
            scenario = Self.text(value)
            return scenario == nil ? "write the path of a scenario" : nil
        case "time-scale":
            timeScale = value.float.flatMap { BehaviorClock.scales.contains($0) ? $0 : nil }
            return timeScale == nil ? "write a number from 0.001 to 1000000" : nil
        case "seed":
            seed = value.int.flatMap(UInt64.init(exactly:))
            return seed == nil ? "write a whole number from 0" : nil
        default:
            return "unknown key; the keys are \(Self.keys.joined(separator: ", "))"
        }
    }

    private static func text(_ value: Node) -> String? {
        value.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func texts(_ value: Node) -> [String]? {
        guard let nodes = value.sequence, !nodes.isEmpty, nodes.count <= ServeSettings.serversRange.upperBound else {
            return nil
        }
        let texts = nodes.compactMap(text)
        return texts.count == nodes.count ? texts : nil
    }

    /// What is wrong with the YAML and where, without the lines around it: they may hold the setup code.
    private static func finding(_ error: any Error, _ path: String) -> FileFinding {
        let (mark, reason): (Mark?, String) =
            switch error as? YamlError {
            case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
                .composer(_, let problem, let mark, _):
                (mark, "this is not YAML: \(problem)")
            case .duplicatedKeysInMapping(let keys, let context):
                (context.mark, "written twice: \(keys.sorted().joined(separator: ", ")); keep one")
            case .reader(let problem, _, _, _): (nil, "this is not YAML: \(problem)")
            default: (nil, "this is not YAML")
            }
        return FileFinding(
            .error,
            in: path,
            at: mark.map { TextPosition(line: $0.line, column: $0.column) },
            reason
        )
    }
}
