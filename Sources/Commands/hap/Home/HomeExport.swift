import AccessoryFiles
import ArgumentParser
import HomeModel
import HomeRuntime
import Hosting

/// The command `hap home export`, which writes a home to a file.
struct HomeExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a home to a file for 'hap home import', or without a file name to standard output.",
        discussion: """
            EXAMPLE
              hap home export house.yaml
              hap home export house.yaml --force
              hap home export --json > house.json
            """
    )

    @Argument(help: .value("file", "The file to write; .json for JSON."), completion: .file())
    var file: String?

    @Flag(help: "Replace an existing file.")
    var force = false

    @OptionGroup var options: HomeOptions

    func run() async throws {
        let output = file.map { OutputFile($0, isSecret: true) }
        try output?.check(isReplacing: force)
        try await options.withHomes { selected in
            let homes = try await selected.store.homes().homes
            let home = try options.home(in: homes)
            let document = HomeDocument(Homes(homes: [home], primary: homes.primary == home.id ? home.id : nil))
            let isJSON = options.json || file?.hasSuffix(".json") == true
            let bytes = try HomeSource.write(document, as: isJSON ? .json : .yaml, to: file ?? home.name.text)
            guard let file, let output else {
                try Output.write(String(decoding: bytes, as: UTF8.self))
                return
            }
            try output.write(bytes)
            try options.report("Wrote \(home.name) to \(file).")
        }
    }
}
