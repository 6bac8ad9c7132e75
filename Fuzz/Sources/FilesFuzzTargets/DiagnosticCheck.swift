import AccessoryFiles
import Documents
import FuzzHarness

/// The invariants of the diagnostics of a refused file.
enum DiagnosticCheck {
    static func check(_ diagnostics: [Diagnostic], of input: [UInt8]) {
        claim(diagnostics.contains { $0.severity == .error }, "a refusal says why")
        let lines = input.count { $0 == 0x0A || $0 == 0x0D || $0 == 0x85 || $0 == 0xA8 || $0 == 0xA9 } + 1
        for diagnostic in diagnostics where diagnostic.file == "input.yaml" {
            claim(!diagnostic.reason.isEmpty, "a finding has a reason")
            guard let position = diagnostic.position else { continue }
            claim(1...(lines + 1) ~= position.line, "a finding is in a line of the file")
            claim(1...(input.count + 1) ~= position.column, "a finding is in a column of the file")
        }
    }
}
