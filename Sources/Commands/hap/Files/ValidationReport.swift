import AccessoryFiles
import AccessoryModel
import Documents
import HAPCore
import Hosting
import Resources

/// The report of `hap validate` about one file.
struct ValidationReport: Sendable {
    private let file: String
    private var contents: AccessoryFileContents?
    /// The summary of a valid file that is not served itself.
    private var summary: String?
    private var subject = FileSubject.accessory
    private var diagnostics: [Diagnostic]

    /// Whether the file can be used.
    var isValid: Bool { contents != nil || summary != nil }

    /// Checks files, and adds warnings to those that one process cannot serve together.
    static func reports(of files: [String]) -> [ValidationReport] {
        var owners = ClaimedIdentifiers()
        return files.flatMap(reports)
            .map { report in
                var report = report
                if let document = report.contents?.document {
                    report.diagnostics += owners.claim(document, for: report.file, .warning)
                }
                return report
            }
    }

    /// Checks a file, and returns one report for each device if the file contains several devices.
    private static func reports(of file: String) -> [ValidationReport] {
        let content = try? RegularFile(AccessoryFileArgument(file).path).bytes
        let subject = content.map { FileSubject($0, path: file) } ?? .accessory
        guard subject == .accessory else { return [ValidationReport(file, OtherFileSummary(file, subject), subject)] }
        return SourceContents.all(of: NamedFile(file)).map { ValidationReport($0.name, $0.servableResult) }
    }

    private init(_ file: String, _ reading: OtherFileSummary, _ subject: FileSubject) {
        self.file = file
        self.subject = subject
        summary = reading.summary
        diagnostics = reading.diagnostics
    }

    /// Creates a report about a file that is served.
    init(_ file: String, _ reading: Result<AccessoryFileContents, DocumentError>) {
        self.file = file
        switch reading {
        case .success(let reading):
            self.contents = reading
            diagnostics = reading.warnings
        case .failure(let error):
            self.contents = nil
            diagnostics = error.diagnostics
        }
    }

    /// The diagnostics, one per line, followed by a line for a valid file.
    var text: String {
        var lines = diagnostics.map(\.line)
        if let contents {
            let warnings = diagnostics.reduce(0) { $0 + $1.count }
            let end = warnings == 0 ? "" : "; \(counted(warnings, "warning"))"
            lines.append("\(file): good: \(contents.summary)\(end)".printable)
        }
        if let summary {
            lines.append("\(file): good: \(summary)".printable)
        }
        return lines.map { "\($0)\n" }.joined()
    }

    /// The reports about all files.
    static let list = Format<[ValidationReport]>(
        response: "ValidationReports",
        .written("files", \.self, .list(of: format), "A report about each file, or about each device of a file.")
    )

    private static let format = Format<ValidationReport>(
        response: "ValidationReport",
        .written("file", \.file, .string, "The file, as it was named."),
        .written("valid", \.isValid, .boolean, "Whether it can be used."),
        .written("kind", \.kind, .word(kinds), "What it contains, if that is known."),
        .written("name", \.contents?.document.name, .string, "The name of the accessory."),
        .written("key", \.contents?.document.key, .string, "The key of its state."),
        .written("category", \.contents?.document.category.description, .string, "The category."),
        .written("accessories", \.contents?.document.accessories.count, .count, "The number of accessories."),
        .written("services", \.contents?.document.serviceCount, .count, "The number of services."),
        .written("characteristics", \.contents?.document.characteristicCount, .count, "The number of characteristics."),
        .written(
            "addedCharacteristics",
            \.contents?.addedCharacteristicCount,
            .count,
            "The number of required characteristics that the file does not name."
        ),
        .written("diagnostics", \.findings, .list(of: DiagnosticResource.format), "The errors and warnings.")
    )

    private static let kinds =
        AccessoryFileKind.allCases.map(\.name) + FileSubject.allCases.filter { $0 != .accessory }.map(\.rawValue)

    private var kind: String? { contents?.kind.name ?? (subject == .accessory ? nil : subject.rawValue) }
    private var findings: [DiagnosticResource] { diagnostics.map { DiagnosticResource($0) } }
}

extension AccessoryDocument {
    fileprivate var serviceCount: Int {
        accessories.reduce(0) { $0 + $1.services.count }
    }

    fileprivate var characteristicCount: Int {
        accessories.reduce(0) { sum, accessory in
            accessory.services.reduce(sum) { $0 + $1.characteristics.count }
        }
    }
}
