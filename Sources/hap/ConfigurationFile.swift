import Foundation
import Yams

/// What a configuration file says; every key is an option of `hap serve`.
struct ConfigurationFile: Sendable {
    var port: UInt16?
    var bind: String?
    var state: String?
    var setupCode: String?
    var advertise: AdvertiseMode?
    var strict: Bool?
    var readyFile: String?

    static let defaultPath = "Config/hap.yaml"
    private static let keys = ["port", "bind", "state", "setup-code", "advertise", "strict", "ready-file"]

    /// Reads the named file, else the default one when it is there, else nothing.
    ///
    /// - Throws: ``CommandFailure`` naming file, line and remedy; all errors of the file at once.
    static func load(_ path: String?) throws(CommandFailure) -> ConfigurationFile {
        if path == nil, !FileManager.default.fileExists(atPath: defaultPath) {
            return ConfigurationFile()
        }
        let path = path ?? defaultPath
        guard let data = FileManager.default.contents(atPath: path), data.count <= 1 << 20 else {
            throw CommandFailure(
                .fileContent,
                "The configuration file \(path) cannot be read; check the name and its permissions."
            )
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw CommandFailure(.fileContent, "\(path) is not UTF-8 text; save it as UTF-8.")
        }
        return try ConfigurationFile(text, path: path)
    }

    init() {}

    init(_ text: String, path: String) throws(CommandFailure) {
        var problems: [String] = []
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch {
            throw CommandFailure(.fileContent, "\(path): not YAML: \(error)")
        }
        guard let root else { return }
        guard let mapping = root.mapping else {
            throw CommandFailure(.fileContent, "\(path):1: write one 'key: value' a line, such as 'port: 51826'.")
        }
        for (keyNode, value) in mapping {
            let key = keyNode.string ?? ""
            if let problem = take(key, value) {
                problems.append("\(path):\(keyNode.mark?.line ?? 1):\(keyNode.mark?.column ?? 1): \(key): \(problem)")
            }
        }
        guard problems.isEmpty else { throw CommandFailure(.fileContent, problems.joined(separator: "\n     ")) }
    }

    /// Takes one key, or says what is wrong with it.
    private mutating func take(_ key: String, _ value: Node) -> String? {
        switch key {
        case "port":
            port = value.int.flatMap(UInt16.init(exactly:))
            return port == nil ? "write a number from 0 to 65535" : nil
        case "bind":
            bind = value.string
            return bind == nil ? "write an address, such as 127.0.0.1" : nil
        case "state":
            state = value.string
            return state == nil ? "write the path of a folder" : nil
        case "setup-code":
            setupCode = value.string
            return setupCode == nil ? "write a code as XXX-XX-XXX" : nil
        case "advertise":
            // YAML 1.1 reads on and off as Booleans.
            advertise = value.string.flatMap(AdvertiseMode.init(rawValue:)) ?? value.bool.map { $0 ? .on : .off }
            return advertise == nil ? "write auto, on or off" : nil
        case "strict":
            strict = value.bool
            return strict == nil ? "write true or false" : nil
        case "ready-file":
            readyFile = value.string
            return readyFile == nil ? "write the path of a file" : nil
        default:
            return "unknown key; the keys are \(Self.keys.joined(separator: ", "))"
        }
    }
}
