import Foundation

/// A command-line tool that reads Apple's catalog as JSON and writes it as Swift.
@main
struct CatalogGenerator {
    static func main() {
        do {
            let options = try GeneratorOptions(Array(CommandLine.arguments.dropFirst()))
            if options.wantsHelp {
                print(GeneratorOptions.help)
                return
            }
            try generate(options)
        } catch let error as GeneratorOptions.UsageError {
            fail("\(error.message) Try `swift run CatalogGenerator --help`.", status: 64)
        } catch let error as CatalogError {
            fail("\(error)", status: 65)
        } catch {
            fail("\(error.localizedDescription)", status: 1)
        }
    }

    private static func generate(_ options: GeneratorOptions) throws {
        let input = URL(fileURLWithPath: options.input, isDirectory: true)
        let catalog = try CatalogInput(
            characteristics: read("characteristics.json", in: input),
            services: read("services.json", in: input)
        )
        let files = try CatalogRenderer(catalog).files()
        let folder = OutputFolder(URL(fileURLWithPath: options.output, isDirectory: true))
        try folder.write(files)
        print(
            "\(files.count) files in \(options.output): \(catalog.characteristics.count) characteristics, "
                + "\(catalog.services.count) services."
        )
    }

    private static func read(_ name: String, in folder: URL) -> Data {
        let url = folder.appendingPathComponent(name)
        guard let text = try? Data(contentsOf: url) else {
            fail("\(url.path) cannot be read; run the tool from the root of the package, or use --input.", status: 1)
        }
        return text
    }

    private static func fail(_ sentence: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("CatalogGenerator: \(sentence)\n".utf8))
        exit(status)
    }
}
