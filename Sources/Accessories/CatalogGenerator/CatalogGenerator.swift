import ArgumentParser
import Foundation

/// A command-line tool that reads Apple's catalog as JSON and writes it as Swift.
@main
struct CatalogGenerator: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "CatalogGenerator",
        abstract: "Write Apple's catalog of characteristic and service types as Swift.",
        discussion: "The defaults are relative to the root of the package."
    )

    @Option(help: "The folder with characteristics.json and services.json.")
    var input = "Sources/Accessories/CatalogGenerator/Input"

    @Option(help: "The folder for the Swift files; outdated generated files in it are deleted.")
    var output = "Sources/Accessories/AccessoryModel/Catalog/Generated"

    func validate() throws {
        guard !input.isEmpty, !output.isEmpty else {
            throw ValidationError("--input and --output need a folder.")
        }
    }

    func run() throws {
        let folder = URL(fileURLWithPath: input, isDirectory: true)
        let catalog = try CatalogInput(
            characteristics: Self.read("characteristics.json", in: folder),
            services: Self.read("services.json", in: folder)
        )
        let files = try CatalogRenderer(catalog).files()
        try OutputFolder(URL(fileURLWithPath: output, isDirectory: true)).write(files)
        print(
            "\(files.count) files in \(output): \(catalog.characteristics.count) characteristics, "
                + "\(catalog.services.count) services."
        )
    }

    private static func read(_ name: String, in folder: URL) throws -> Data {
        let url = folder.appendingPathComponent(name)
        guard let text = try? Data(contentsOf: url) else {
            throw ValidationError(
                "\(url.path) cannot be read; run the tool from the root of the package, or use --input."
            )
        }
        return text
    }
}
