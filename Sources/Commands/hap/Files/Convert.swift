import AccessoryFiles
import ArgumentParser
import Documents
import Hosting

/// The command `hap convert`, which converts an accessory file to another kind.
struct Convert: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Convert an accessory file to another format.",
        discussion: """
            Reads every kind of file that 'hap serve' can serve. The extension of the second name selects the format: \
            .yaml, .yml and .json for a definition, .hasaccessory for an export of Apple's HomeKit Accessory \
            Simulator, and .dump.json for the JSON that a device returns for GET /accessories. Content that the format \
            cannot express is reported on standard error. If a file contains several devices, as Home Assistant's \
            homekit_controller-entity-map does, select one as FILE#DEVICE-ID.

            EXAMPLE
              hap convert Accessories/garage.hasaccessory my-garage.yaml
              hap convert accessories.json device.yaml
              hap convert Accessories/garage.yaml - --as dump
            """
    )

    @Argument(help: .value("in", "The file to read."), completion: .file())
    var input: String

    @Argument(help: .value("out", "The file to write; - for standard output."), completion: .file())
    var output: String

    @Option(
        name: .customLong("as"),
        help: .value(
            AccessoryFileKind.allCases.map(\.name).joined(separator: "|"),
            "The format to write, regardless of the name."
        )
    )
    var kind: AccessoryFileKind?

    @Flag(help: "Replace an existing file.")
    var force = false

    func run() throws {
        guard let kind = kind ?? AccessoryFileKind(path: output) else {
            let names = AccessoryFileKind.allCases.map(\.name).joined(separator: ", ")
            throw CommandFailure.usage(
                output == "-"
                    ? "The format to write is missing; add --as and one of \(names)."
                    : "The name \(output.printable) has no known extension; end it in .yaml, .json, .hasaccessory or "
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
            try FileDescriptorWriter.write(bytes, to: CommandContext.current.output)
        }
    }

    /// Returns the content of the new file, with warnings about the old file and about what the new one cannot
    /// represent.
    private func converted(to kind: AccessoryFileKind) throws -> (bytes: [UInt8], diagnostics: [Diagnostic]) {
        let contents = SourceContents(NamedFile(input))
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
