import ArgumentParser
import Foundation

/// A command-line tool that reads Apple's catalog as JSON and writes it as Swift.
@main
struct CatalogGenerator: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "CatalogGenerator",
        abstract: "Write Apple's catalog of characteristic and service types, and the constants of HomeKit, as Swift.",
        discussion: "The defaults are relative to the root of the package."
    )

    @Option(help: "The folder with characteristics.json, services.json and homekit.tsv.")
    var input = "Sources/Accessories/CatalogGenerator/Input"

    @Option(help: "The folder for the Swift files; outdated generated files in it are deleted.")
    var output = "Sources/Accessories/AccessoryModel/Catalog/Generated"

    @Option(help: "The folder for the constants of HomeKit; outdated generated files in it are deleted.")
    var homekit = "Sources/Homes/HomeKit/Generated"

    func validate() throws {
        guard !input.isEmpty, !output.isEmpty, !homekit.isEmpty else {
            throw ValidationError("--input, --output and --homekit need a folder.")
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
        let constants = String(decoding: try Self.read("homekit.tsv", in: folder), as: UTF8.self)
        let homeKitFiles = try HomeKitRenderer(constants, catalog: catalog).files()
        try OutputFolder(URL(fileURLWithPath: homekit, isDirectory: true)).write(homeKitFiles)
        print(
            "\(files.count) files in \(output): \(catalog.characteristics.count) characteristics, "
                + "\(catalog.services.count) services. \(homeKitFiles.count) files in \(homekit)."
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
