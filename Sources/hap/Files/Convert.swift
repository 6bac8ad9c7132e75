import AccessoryFiles
import ArgumentParser
import Documents
import Glibc

/// `hap convert`: from one kind of accessory file to another.
struct Convert: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Turn an accessory file into one of another kind.",
        discussion: """
            Reads every kind of file that is served. What it writes, the end of the second name tells: .yaml, .yml and .json \
            are definitions, .hasaccessory is an export of Apple's HomeKit Accessory Simulator, and .dump.json is what a \
            device answers to GET /accessories. What the target cannot express is said on standard error. Of a file that \
            holds several devices, as Home Assistant's homekit_controller-entity-map, name one as FILE#DEVICE-ID.

            EXAMPLE
              hap convert Accessories/garage.hasaccessory my-garage.yaml
              hap convert accessories.json device.yaml
              hap convert Accessories/garage.yaml - --as dump
            """
    )

    @Argument(help: ArgumentHelp("The file to read.", valueName: "in"), completion: .file())
    var input: String

    @Argument(help: ArgumentHelp("The file to write; - for standard output.", valueName: "out"), completion: .file())
    var output: String

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "What to write, whatever the name.",
            valueName: AccessoryFileKind.allCases.map(\.name).joined(separator: "|")
        )
    )
    var kind: AccessoryFileKind?

    @Flag(help: "Replace a file that is there.")
    var force = false

    func run() throws {
        guard let kind = kind ?? AccessoryFileKind(path: output) else {
            let names = AccessoryFileKind.allCases.map(\.name).joined(separator: ", ")
            throw CommandFailure.usage(
                output == "-"
                    ? "Say what to write: add --as and one of \(names)."
                    : "The name \(output.printable) does not say what to write; end it in .yaml, .json, .hasaccessory or "
                        + ".dump.json, or add --as and one of \(names)."
            )
        }
        let destination = output == "-" ? nil : OutputFile(output, isSecret: true)
        try destination?.check(isReplacing: force)
        let (bytes, diagnostics) = try converted(to: kind)
        StandardError.write(diagnostics.map { "\($0.line)\n" }.joined())
        if let destination {
            try destination.write(bytes)
        } else {
            try FileDescriptorWriter.write(bytes, to: STDOUT_FILENO)
        }
    }

    /// The content of the new file, with what is unusual about the old one and what is lost.
    private func converted(
        to kind: AccessoryFileKind
    ) throws(CommandFailure) -> (bytes: [UInt8], diagnostics: [Diagnostic]) {
        try withCommandFailures {
            let contents = SourceContents(input)
            if case .failure(let error) = contents.result {
                throw FileSubject.accessory.failure(for: input, CommandFailure(error.diagnostics))
            }
            let reading = try contents.result.get()
            let name = output == "-" ? input : output
            let schema = OutputFile.schema(AccessoryFile.schemaName, nextTo: output)
            let (bytes, losses) = try AccessoryFile.write(reading.document, as: kind, name: name, schema: schema)
            return (bytes, reading.warnings + losses)
        }
    }
}
