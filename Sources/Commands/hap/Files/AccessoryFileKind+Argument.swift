import AccessoryFiles
import ArgumentParser

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
