import AccessoryFiles
import ArgumentParser
import Hosting

/// The command `hap validate`, which checks whether files can be used, and reports their errors.
struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Check accessory files, scenarios, home files and configuration files.",
        discussion: """
            Prints each error and warning as file:line:column: path: reason; remedy, and one line for each valid file. \
            A file with warnings is valid. A scenario is checked together with the accessories that it serves. A \
            home file is checked together with the definitions that it names; 'hap home import --dry-run' compares it \
            with the stored homes. A configuration file is one for 'hap serve'.

            Exits with 0 if all files are valid, else with 65, also if a file does not exist.

            EXAMPLE
              hap validate Accessories/garage.yaml
              hap validate --json Accessories/*.yaml Config/scenarios/*.yaml
            """
    )

    @Argument(
        help: .value(
            "file",
            "The files to check: accessory files of any kind, scenarios, home files, configuration files."
        ),
        completion: .file()
    )
    var files: [String]

    @Flag(help: "Print the findings as JSON.")
    var json = false

    func run() throws {
        let reports = ValidationReport.reports(of: files)
        try Output.write(reports.map(\.text).joined(), reports, ValidationReport.list, asJSON: json)
        guard reports.allSatisfy(\.isValid) else { throw ExitCode(CommandFailure.Code.fileContent.rawValue) }
    }
}
