/// What the command line asks for.
struct GeneratorOptions {
    /// The folder of `characteristics.json` and `services.json`.
    var input = "Sources/CatalogueGenerator/Input"
    /// The folder that the Swift files are written to.
    var output = "Sources/AccessoryModel/Catalogue/Generated"
    /// Whether only the help is wanted.
    var wantsHelp = false

    /// An argument that is not understood.
    struct UsageError: Error {
        /// What is wrong, in a sentence.
        var sentence: String
    }

    static let help = """
        Writes Apple's catalogue of characteristic and service types as Swift.

        swift run CatalogueGenerator [--input DIR] [--output DIR]

          --input DIR   holds characteristics.json and services.json
                        default: Sources/CatalogueGenerator/Input
          --output DIR  receives the Swift files; generated files that no longer belong are deleted
                        default: Sources/AccessoryModel/Catalogue/Generated
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
            default: throw UsageError(sentence: "There is no argument \(argument).")
            }
        }
    }

    private static func value(of option: String, in rest: inout ArraySlice<String>) throws -> String {
        guard let value = rest.popFirst(), !value.isEmpty else {
            throw UsageError(sentence: "\(option) needs a folder.")
        }
        return value
    }
}
