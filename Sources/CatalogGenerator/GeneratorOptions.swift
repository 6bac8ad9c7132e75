/// The options of the command line.
struct GeneratorOptions {
    /// The folder of `characteristics.json` and `services.json`.
    var input = "Sources/CatalogGenerator/Input"
    /// The folder that the Swift files are written to.
    var output = "Sources/AccessoryModel/Catalog/Generated"
    /// Whether only the help is requested.
    var wantsHelp = false

    /// An argument that is not understood.
    struct UsageError: Error {
        /// The error in a sentence.
        var message: String
    }

    static let help = """
        Writes Apple's catalog of characteristic and service types as Swift.

        swift run CatalogGenerator [--input DIR] [--output DIR]

          --input DIR   holds characteristics.json and services.json
                        default: Sources/CatalogGenerator/Input
          --output DIR  receives the Swift files; generated files that no longer belong are deleted
                        default: Sources/AccessoryModel/Catalog/Generated
          --help        this text

        The defaults are meant for the root of the package.
        """

    /// Reads the arguments after the tool's name; throws ``UsageError``.
    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--input": input = try Self.value(of: argument, in: &rest)
            case "--output": output = try Self.value(of: argument, in: &rest)
            default: throw UsageError(message: "There is no argument \(argument).")
            }
        }
    }

    private static func value(of option: String, in rest: inout ArraySlice<String>) throws -> String {
        guard let value = rest.popFirst(), !value.isEmpty else {
            throw UsageError(message: "\(option) needs a folder.")
        }
        return value
    }
}
