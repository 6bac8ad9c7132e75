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
