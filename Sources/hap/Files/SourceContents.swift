import AccessoryFiles
import AccessoryModel
import Documents

/// What came of reading an accessory file with the files that it includes.
struct SourceContents: Sendable {
    /// The file as it was named, with the device ID of one of its devices.
    let name: String
    /// What it says, or everything that is wrong with it.
    let result: Result<AccessoryFileContents, DocumentError>
    /// The files that it consists of, each with its stamp; without one where there is no such file.
    let files: [(path: String, stamp: FileStamp?)]

    /// Reads a file of any kind, once: one server each for a file that holds several devices, else one.
    static func all(of name: String) -> [SourceContents] {
        let argument = AccessoryFileArgument(name)
        guard argument.device == nil else { return [SourceContents(name)] }
        var files = SourceFiles(of: argument.path)
        do throws(DocumentError) {
            let readings = try AccessoryFile.readAll(files.readMain(), name: name) {
                (included) throws(DocumentError) in try files.readIncluded(included)
            }
            return readings.map { SourceContents(name: $0.name, result: $0.reading, files: files.readFiles) }
        } catch {
            return [SourceContents(name: name, result: .failure(error), files: files.readFiles)]
        }
    }

    /// What it says when a server can serve that, else everything that is wrong.
    var servableResult: Result<AccessoryFileContents, DocumentError> {
        guard case .success(let reading) = result else { return result }
        let diagnostics = reading.document.servingErrors.map { fault in
            Diagnostic(.error, in: name, path: fault.path, fault.reason)
        }
        return diagnostics.isEmpty ? result : .failure(DocumentError(reading.warnings + diagnostics))
    }
}

extension SourceContents {
    /// Reads a file of any kind, and what it includes: files in its folder and below, by names relative to itself.
    init(_ name: String) {
        let argument = AccessoryFileArgument(name)
        var files = SourceFiles(of: argument.path)
        do throws(DocumentError) {
            let reading = try AccessoryFile.read(files.readMain(), name: name, device: argument.device) {
                (included) throws(DocumentError) in try files.readIncluded(included)
            }
            self.init(name: name, result: .success(reading), files: files.readFiles)
        } catch {
            self.init(name: name, result: .failure(error), files: files.readFiles)
        }
    }
}

/// Reads an accessory file and those that it includes, and remembers each, also one that cannot be read.
private struct SourceFiles {
    private let path: String
    private(set) var readFiles: [(path: String, stamp: FileStamp?)] = []

    init(of path: String) {
        self.path = path
    }

    mutating func readMain() throws(DocumentError) -> [UInt8] {
        try readFile(path)
    }

    /// Reads a file whose name is relative to the accessory file, in its folder or below.
    mutating func readIncluded(_ name: String) throws(DocumentError) -> [UInt8] {
        try readFile(name.resolved(relativeTo: path), in: "./".resolved(relativeTo: path))
    }

    private mutating func readFile(_ path: String, in folder: String? = nil) throws(DocumentError) -> [UInt8] {
        do throws(DocumentError) {
            let file = try RegularFile(path, in: folder)
            readFiles.append((path, file.stamp))
            return file.bytes
        } catch {
            readFiles.append((path, FileStamp(path: path)))
            throw error
        }
    }
}
