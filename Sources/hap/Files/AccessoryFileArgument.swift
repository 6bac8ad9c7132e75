import AccessoryFiles
import ArgumentParser
import Glibc

extension AccessoryFileKind: ExpressibleByArgument {
    /// Creates the kind from its name.
    public init?(argument: String) {
        guard let kind = Self.allCases.first(where: { $0.name == argument }) else { return nil }
        self = kind
    }

    /// The names of all kinds, for the help and for error messages.
    public static var allValueStrings: [String] {
        allCases.map(\.name)
    }
}

extension AccessoryFileKind {
    /// The name of the kind on the command line.
    var name: String {
        switch self {
        case .yaml: "yaml"
        case .json: "json"
        case .archive: "hasaccessory"
        case .dump: "dump"
        }
    }

    /// Returns the kind of a file by its extension, or `nil` if the extension is not known.
    init?(path: String) {
        let name = path.lowercased()
        let endings: [(String, AccessoryFileKind)] = [
            (".dump.json", .dump), (".json", .json), (".yaml", .yaml), (".yml", .yaml), (".hasaccessory", .archive),
        ]
        guard let kind = endings.first(where: { name.hasSuffix($0.0) })?.1 else { return nil }
        self = kind
    }
}

/// A command-line argument that names an accessory file: a path, optionally followed by `#` and the device ID of one
/// device.
struct AccessoryFileArgument: Sendable {
    let path: String
    /// The device ID, or `nil` for the whole file.
    let device: String?

    /// Creates the argument for a whole file.
    init(path: String) {
        (self.path, device) = (path, nil)
    }

    /// Parses an argument.
    ///
    /// If a file exists whose own name contains the `#`, the whole argument is its path.
    init(_ text: String) {
        guard let mark = text.lastIndex(of: "#"), mark != text.startIndex, access(text, F_OK) != 0 else {
            (path, device) = (text, nil)
            return
        }
        path = String(text[..<mark])
        device = String(text[text.index(after: mark)...])
    }
}
