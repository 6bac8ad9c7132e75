import AccessoryFiles
import AccessoryModel
import Documents

/// The result of reading an accessory file with the files that it includes.
struct SourceContents: Sendable {
    /// The file as it was named, with the device ID of one of its devices if the file contains several.
    let name: String
    /// The contents of the file, or all of its errors.
    let result: Result<AccessoryFileContents, DocumentError>
    /// The files that were read, each with its stamp, or without a stamp if the file does not exist.
    let files: [(path: String, stamp: FileStamp?)]

    /// Reads a file of any kind once.
    ///
    /// Returns one element for each device if the file contains several devices, or else a single element. Each element
    /// is served by its own server.
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

    /// The contents if a server can serve them, or else all errors.
    var servableResult: Result<AccessoryFileContents, DocumentError> {
        result.servable(name: name)
    }
}

extension SourceContents {
    /// Reads a file of any kind with the files that it includes.
    ///
    /// Included files are named relative to the file, and are in its folder or below.
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

/// A reader of an accessory file and its included files.
///
/// It records each file, even if it cannot be read.
private struct SourceFiles {
    private let path: String
    private(set) var readFiles: [(path: String, stamp: FileStamp?)] = []

    init(of path: String) {
        self.path = path
    }

    mutating func readMain() throws(DocumentError) -> [UInt8] {
        try readFile(path)
    }

    /// Reads a file whose name is relative to the accessory file and which is in its folder or below.
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
