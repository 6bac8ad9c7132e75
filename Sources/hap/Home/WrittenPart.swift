import AccessoryFiles
import AccessoryModel
import ArgumentParser
import Documents

/// A part of a home file that is written on a command line.
enum WrittenPart {
    /// Reads a part.
    ///
    /// - Parameters:
    ///   - text: What was written.
    ///   - option: Where.
    ///   - format: How a file has it.
    /// - Throws: `ValidationError` with everything that is wrong, in a line.
    static func read<Part>(_ text: String, _ option: String, _ format: Format<Part>) throws -> Part {
        do throws(DocumentError) {
            return try HomeFile.part(format, of: text, in: option)
        } catch {
            let reasons = error.diagnostics.map { diagnostic in
                diagnostic.path.isEmpty ? diagnostic.reason : "\(diagnostic.path): \(diagnostic.reason)"
            }
            throw ValidationError("\(option): \(reasons.joined(separator: "; ")).".withVisibleControls)
        }
    }
}
