import AccessoryFiles
import AccessoryModel
import ArgumentParser

/// A part of a home file that is written on a command line.
enum WrittenPart {
    /// Reads a part.
    ///
    /// - Parameters:
    ///   - text: What was written.
    ///   - option: Where.
    ///   - read: Reads it as a file has it.
    /// - Throws: `ValidationError` with everything that is wrong, in a line.
    static func read<Part>(
        _ text: String,
        _ option: String,
        _ read: (String, String) throws(AccessoryFileError) -> Part
    ) throws -> Part {
        do throws(AccessoryFileError) {
            return try read(text, option)
        } catch {
            let findings = error.findings.map { finding in
                finding.path.isEmpty ? finding.reason : "\(finding.path): \(finding.reason)"
            }
            throw ValidationError("\(option): \(findings.joined(separator: "; ")).".withVisibleControls)
        }
    }
}
