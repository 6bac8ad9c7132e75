import AccessoryFiles
import ArgumentParser

extension AccessoryFileKind: ExpressibleByArgument {
    /// Takes the name.
    public init?(argument: String) {
        guard let kind = Self.allCases.first(where: { $0.name == argument }) else { return nil }
        self = kind
    }

    /// The names, for help and for whoever has mistyped one.
    public static var allValueStrings: [String] {
        allCases.map(\.name)
    }
}

extension AccessoryFileKind {
    /// What people call it.
    var name: String {
        switch self {
        case .yaml: "yaml"
        case .json: "json"
        case .archive: "hasaccessory"
        case .dump: "dump"
        }
    }

    /// The kind that a file of this name is to have; `nil` when its extension tells none.
    init?(path: String) {
        let name = path.lowercased()
        let endings: [(String, AccessoryFileKind)] = [
            (".dump.json", .dump), (".json", .json), (".yaml", .yaml), (".yml", .yaml), (".hasaccessory", .archive),
        ]
        guard let kind = endings.first(where: { name.hasSuffix($0.0) })?.1 else { return nil }
        self = kind
    }
}
