internal import AccessoryFiles
package import Documents
internal import FoundationEssentials
internal import HAPCore
package import HomeModel

/// An accessory file that a home file names as the definition of an accessory.
package struct HomeDefinition: Sendable, Hashable {
    /// The path of the accessory file, relative to the current folder.
    package let path: String
    /// The path of the home file.
    private let homeFile: String
    /// The accessory as the home file names it.
    private let accessory: Located<String>
    private let location: SourceLocation?
    /// Whether the accessory is found by its device ID instead of its name.
    private let hasDeviceID: Bool

    /// Creates the definition of an accessory in a home file, or returns `nil` if the file names none.
    package init?(_ accessory: HomeDescription.Accessory, in homeFile: String) {
        guard let definition = accessory.definition else { return nil }
        path = definition.value.resolved(relativeTo: homeFile)
        location = definition.location
        hasDeviceID = accessory.deviceID != nil
        self.accessory = accessory.accessory
        self.homeFile = homeFile
    }

    /// The error that this definition cannot be served, for which the diagnostics of its file state the reason.
    package var error: Diagnostic {
        Diagnostic(
            .error,
            in: homeFile,
            at: location?.position,
            path: location?.path ?? "",
            "the definition \(path) cannot be served; correct its path or the file"
        )
    }

    /// Returns a warning for each definition of one file that has none of the accessories in the file.
    ///
    /// - Parameter names: The names of the accessories in the file.
    package static func warnings(_ definitions: [HomeDefinition], served names: [String]) -> [Diagnostic] {
        let keys = Set(names.map(ObjectName.key))
        guard let first = names.first else { return [] }
        var spelling = SpellingSuggester()
        return definitions.filter { !$0.hasDeviceID && !keys.contains(ObjectName.key(of: $0.accessory.value)) }
            .map { $0.warning(nearest: spelling.nearest(to: $0.accessory.value, among: names) ?? first) }
    }

    private func warning(nearest name: String) -> Diagnostic {
        Diagnostic(
            .warning,
            in: homeFile,
            at: accessory.location?.position,
            path: accessory.location?.path ?? "",
            "the definition \(path) has no accessory with this name; write \(name)"
        )
    }
}

extension HomeDescription {
    /// Returns the definitions that the home names, in the order of the file.
    ///
    /// - Parameter path: The path of the home file.
    package func definitions(in path: String) -> [HomeDefinition] {
        accessories.compactMap { HomeDefinition($0, in: path) }
    }
}

/// An accessory file to serve, with the entries of the home file that name it.
package struct ServedFileReference: Sendable {
    package let file: NamedFile
    package private(set) var definitions: [HomeDefinition] = []

    /// Returns files without duplicates: those that were given themselves, then those that a home file names.
    ///
    /// Two names of one file count as the same. A device of a file is different from the whole file.
    package static func all(_ files: [NamedFile], _ definitions: [HomeDefinition]) -> [ServedFileReference] {
        var references: [ServedFileReference] = []
        var indices: [String: Int] = [:]
        var identities: [String: String] = [:]
        let named = definitions.map { (NamedFile($0.path, namedBy: .file), $0) }
        for (file, definition) in files.map({ ($0, nil) }) + named {
            // Thousands of accessories may name one file.
            let identity = identities[file.path] ?? identity(of: file.path)
            identities[file.path] = identity
            let index = indices[identity] ?? references.count
            if index == references.count {
                references.append(ServedFileReference(file: file))
                indices[identity] = index
            }
            references[index].definitions += [definition].compactMap(\.self)
        }
        return references
    }

    /// Returns the text that two names of the same file, or of the same device of a file, have in common.
    private static func identity(of path: String) -> String {
        let argument = AccessoryFileArgument(path)
        let file = URL(fileURLWithPath: argument.path).resolvingSymlinksInPath().path
        return "\(file)#\(argument.device ?? "")"
    }
}
