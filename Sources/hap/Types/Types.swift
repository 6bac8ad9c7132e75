import AccessoryFiles
import ArgumentParser
import Glibc

/// `hap types`: the catalogue as a reference.
struct Types: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types",
        abstract: "Look up services and characteristics.",
        discussion: """
            Without a query, lists all that Apple has defined. A query is a name in any case, a part of one, or a UUID, short \
            or long; what is meant by it alone is shown in full. The first column is what definitions call it.

            EXAMPLE
              hap types lightbulb
              hap types door
              hap types 7E --json
              hap types --schema > accessory.schema.json
            """
    )

    @Argument(help: ArgumentHelp("What to look for.", valueName: "query"))
    var query: [String] = []

    @Flag(help: "Print everything about them as JSON.")
    var json = false

    @Flag(help: "Print the JSON Schema of definitions, for editors.")
    var schema = false

    func run() throws {
        if schema {
            guard query.isEmpty, !json else {
                throw CommandFailure(.usage, "The schema is of all types, and JSON already; take --schema alone.")
            }
            try FileDescriptorWriter.write(AccessorySchema.json(), to: STDOUT_FILENO)
            return
        }
        let selection = try TypeSelection(query.joined(separator: " "))
        try FileDescriptorWriter.print(json ? selection.json : selection.text)
    }
}
