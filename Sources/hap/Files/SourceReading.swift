import AccessoryFiles
import AccessoryModel
import Documents

/// What came of reading an accessory file with the files that it includes.
struct SourceReading: Sendable {
    /// The file as it was named, with the device ID of one of its devices.
    let name: String
    /// What it says, or everything that is wrong with it.
    let result: Result<AccessoryFileReading, DocumentError>
    /// The files that it consists of, each with its stamp; without one where there is no such file.
    let files: [(path: String, stamp: FileStamp?)]

    /// Reads a file of any kind, once: one server each for a file that holds several devices, else one.
    static func all(of name: String) -> [SourceReading] {
        let argument = AccessoryFileArgument(name)
        guard argument.device == nil else { return [SourceReading(name)] }
        var files = SourceFiles(of: argument.path)
        do throws(DocumentError) {
            let readings = try AccessoryFile.readAll(files.main(), name: name) {
                (included) throws(DocumentError) in try files.include(included)
            }
            return readings.map { SourceReading(name: $0.name, result: $0.reading, files: files.read) }
        } catch {
            return [SourceReading(name: name, result: .failure(error), files: files.read)]
        }
    }

    /// What it says when a server can serve that, else everything that is wrong.
    var servable: Result<AccessoryFileReading, DocumentError> {
        guard case .success(let reading) = result else { return result }
        let findings = reading.document.servingFaults.map { fault in
            Diagnostic(.error, in: name, path: fault.path, fault.reason)
        }
        return findings.isEmpty ? result : .failure(DocumentError(reading.warnings + findings))
    }
}

extension SourceReading {
    /// Reads a file of any kind, and what it includes: files in its folder and below, by names relative to itself.
    init(_ name: String) {
        let argument = AccessoryFileArgument(name)
        var files = SourceFiles(of: argument.path)
        do throws(DocumentError) {
            let reading = try AccessoryFile.read(files.main(), name: name, device: argument.device) {
                (included) throws(DocumentError) in try files.include(included)
            }
            self.init(name: name, result: .success(reading), files: files.read)
        } catch {
            self.init(name: name, result: .failure(error), files: files.read)
        }
    }
}

/// Reads an accessory file and those that it includes, and remembers each, also one that cannot be read.
private struct SourceFiles {
    private let path: String
    private(set) var read: [(path: String, stamp: FileStamp?)] = []

    init(of path: String) {
        self.path = path
    }

    mutating func main() throws(DocumentError) -> [UInt8] {
        try content(path)
    }

    /// Reads a file whose name is relative to the accessory file, in its folder or below.
    mutating func include(_ name: String) throws(DocumentError) -> [UInt8] {
        try content(name.resolved(beside: path), in: "./".resolved(beside: path))
    }

    private mutating func content(_ path: String, in folder: String? = nil) throws(DocumentError) -> [UInt8] {
        do throws(DocumentError) {
            let file = try RegularFile(path, in: folder)
            read.append((path, file.stamp))
            return file.bytes
        } catch {
            read.append((path, FileStamp(path: path)))
            throw error
        }
    }
}
