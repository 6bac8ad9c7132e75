/// The command-line options.
struct GeneratorOptions {
    /// The folder that contains `characteristics.json` and `services.json`.
    var input = "Sources/Accessories/CatalogGenerator/Input"
    /// The folder to which the Swift files are written.
    var output = "Sources/Accessories/AccessoryModel/Catalog/Generated"
    /// Whether the help is requested.
    var wantsHelp = false

    /// An error for an invalid argument.
    struct UsageError: Error {
        /// A sentence that describes the error.
        var message: String
    }

    static let help = """
        Writes Apple's catalog of characteristic and service types as Swift.

        swift run CatalogGenerator [--input DIR] [--output DIR]

          --input DIR   folder with characteristics.json and services.json
                        default: Sources/Accessories/CatalogGenerator/Input
          --output DIR  folder for the Swift files; outdated generated files in it are deleted
                        default: Sources/Accessories/AccessoryModel/Catalog/Generated
          --help        show this help

        The defaults are relative to the root of the package.
        """

    /// Parses the arguments after the tool's name.
    ///
    /// - Throws: ``UsageError`` for an invalid argument.
    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--input": input = try Self.value(of: argument, in: &rest)
            case "--output": output = try Self.value(of: argument, in: &rest)
            default: throw UsageError(message: "The argument \(argument) is unknown.")
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
