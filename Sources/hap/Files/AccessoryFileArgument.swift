import AccessoryFiles
import ArgumentParser
import Glibc

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

/// The name of a file of accessories, as it is given: a path, and behind `#` the device ID of one device in it.
struct AccessoryFileArgument: Sendable {
    let path: String
    /// The device ID; `nil` for the whole file.
    let device: String?

    /// Takes a text apart; a file whose own name has a `#` in it is meant as a whole.
    init(_ text: String) {
        guard let mark = text.lastIndex(of: "#"), mark != text.startIndex, access(text, F_OK) != 0 else {
            (path, device) = (text, nil)
            return
        }
        path = String(text[..<mark])
        device = String(text[text.index(after: mark)...])
    }
}
