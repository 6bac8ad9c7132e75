internal import AccessoryFiles
internal import Documents

/// The subject of a file.
package enum FileSubject: String, Sendable, CaseIterable {
    case accessory, scenario, home, configuration

    /// Recognizes a file by its top-level keys and, for an empty configuration, by its name.
    ///
    /// A file that is not recognized counts as an accessory.
    package init(_ content: [UInt8], path: String) {
        self = Self.recognized(content, path: path) ?? .accessory
    }

    /// Recognizes a file by its top-level keys and, for an empty configuration, by its name.
    ///
    /// - Returns: `nil` if nothing in the file shows what it describes.
    package static func recognized(_ content: [UInt8], path: String) -> FileSubject? {
        let isNamedAsConfiguration = path.split(separator: "/").last == "hap.yaml"
        guard AccessoryFile.kind(of: content) == .yaml else { return isNamedAsConfiguration ? nil : .accessory }
        let texts = AccessoryFile.topLevelScalars(of: content, name: path)
        let keys = Set(texts.keys)
        if !keys.isDisjoint(with: ["accessory", "bridge", "services"]) {
            return .accessory
        } else if keys.contains("steps") {
            return .scenario
        } else if isNamedAsConfiguration || namesFiles(texts) || namesFolder(texts)
            || !keys.isDisjoint(with: configurationKeys)
        {
            return .configuration
        } else if keys.contains("scenario") {
            return .scenario
        } else if !keys.isDisjoint(with: ["home", "homes", "rooms"]) {
            return .home
        }
        return nil
    }

    /// Returns an error about the kind of the file if it is not the expected one, or else `error`.
    ///
    /// - Parameter path: The path of the file that could not be read as `self`.
    package func failure(for path: String, _ error: HostError) -> HostError {
        guard let content = try? RegularFile(AccessoryFileArgument(path).path).bytes,
            let actual = Self.recognized(content, path: path), actual != self
        else { return error }
        return HostError([
            Diagnostic(.error, in: path, "this is \(actual.title), not \(title); \(actual.remedy(for: path))")
        ])
    }

    /// Returns whether a file is of this subject, possibly with errors, so that messages may quote it.
    package func recognizes(_ content: [UInt8]) -> Bool {
        switch self {
        case .accessory: AccessoryFile.isDefinition(content)
        case .scenario: ScenarioFile.recognizes(content)
        case .home: HomeFile.recognizes(content)
        case .configuration: false
        }
    }

    /// Returns the error about a file that is not of this subject, or too damaged to say; it quotes nothing.
    package func unrecognizedReason(_ path: String) -> String {
        "this is not \(title), or it is damaged; name another file, or see its errors with 'hap validate \(path)'"
    }

    private var title: String {
        switch self {
        case .accessory: "an accessory file"
        case .scenario: "a scenario"
        case .home: "a home file"
        case .configuration: "a configuration file"
        }
    }

    private func remedy(for path: String) -> String {
        switch self {
        case .accessory: "serve it with 'hap serve \(path)'"
        case .scenario: "run it with 'hap run \(path)', or use --scenario"
        case .home: "use --home, as in 'hap serve --home \(path)', or import it with 'hap home import \(path)'"
        case .configuration: "use --config, as in 'hap serve --config \(path)'"
        }
    }

    /// Returns whether the values of `home` and `scenario` are file names, as in a configuration.
    ///
    /// In a home file or a scenario, the value of the key is a title instead. No home can have a name that ends like a
    /// file name, and a scenario also has the key `steps`.
    private static func namesFiles(_ texts: [String: String?]) -> Bool {
        let titles = ["home", "scenario"].filter(texts.keys.contains)
        guard !titles.isEmpty, texts.keys.allSatisfy({ !["steps", "rooms"].contains($0) }),
            texts["accessories"] == nil || namesFolder(texts)
        else { return false }
        return titles.allSatisfy { title in
            let name = texts[title]??.lowercased() ?? ""
            return [".yaml", ".yml", ".json"].contains(where: name.hasSuffix)
        }
    }

    /// Returns whether the value of `accessories` is the name of a folder, as in a configuration, and not a list.
    private static func namesFolder(_ texts: [String: String?]) -> Bool {
        (texts["accessories"] ?? nil) != nil
    }

    /// The keys that only configurations have.
    package static let configurationKeys: Set<String> = [
        "files", "port", "copies", "bind", "state", "setup-code", "advertise", "simulate", "strict", "ready-file",
        "log-level", "time-scale", "console", "trace",
    ]
}
