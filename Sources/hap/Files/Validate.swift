import AccessoryFiles
import ArgumentParser
import Glibc

/// `hap validate`: whether files can be served, and why not.
struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Check files of accessories, and of scenarios, homes and options.",
        discussion: """
            Prints everything that is wrong or unusual as file:line:column: path: what; remedy, and one line for each file \
            that is good. What is unusual is a warning, and no reason to refuse a file. A scenario is held against what it \
            serves; of a home file the text is checked, and 'hap home import --dry-run' holds it against what there is; a \
            configuration is one of 'hap serve'.

            Ends with 0 when all of them are good, else with 65; so it does for a file that is not there.

            EXAMPLE
              hap validate Accessories/garage.yaml
              hap validate --json Accessories/*.yaml Config/scenarios/*.yaml
            """
    )

    @Argument(
        help: ArgumentHelp(
            "What to check: files of any kind that is served, scenarios, home files, configurations.",
            valueName: "file"
        ),
        completion: .file()
    )
    var files: [String]

    @Flag(help: "Print the findings as JSON.")
    var json = false

    func run() throws {
        let reports = ValidationReport.reports(of: files)
        try Output.write(json ? ValidationReport.json(reports) : reports.map(\.text).joined())
        guard reports.allSatisfy(\.isValid) else { throw ExitCode(CommandFailure.Code.fileContent.rawValue) }
    }
}
