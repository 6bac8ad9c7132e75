package import AccessoryFiles
internal import AccessoryModel
package import Documents

/// The result of reading an accessory file with the files that it includes.
package struct SourceContents: Sendable {
    /// The file as it was named, with the device ID of one of its devices if the file contains several.
    package let name: String
    /// The contents of the file, or all of its errors.
    package let result: Result<AccessoryFileContents, DocumentError>
    /// The bytes of the file; empty if it could not be read.
    package let bytes: [UInt8]
    /// Who names the file.
    package let origin: NamedFile.Origin
    /// The files that were read, each with its stamp, or without a stamp if the file does not exist.
    package let files: [(path: String, stamp: FileStamp?)]

    /// Reads a file of any kind once.
    ///
    /// Returns one element for each device if the file contains several devices, or else a single element. Each element
    /// is served by its own server.
    ///
    /// - Parameter folder: The folder that must contain the file after all links are followed; `nil` for any.
    package static func all(of file: NamedFile, in folder: String? = nil) -> [SourceContents] {
        let name = file.path
        let argument = folder == nil ? AccessoryFileArgument(name) : AccessoryFileArgument(path: name)
        guard argument.device == nil else { return [SourceContents(file)] }
        var files = SourceFiles(of: argument.path, in: folder)
        do throws(DocumentError) {
            let readings = try AccessoryFile.readAll(files.readMain(), name: name) {
                (included) throws(DocumentError) in try files.readIncluded(included)
            }
            return readings.map { SourceContents(file, name: $0.name, result: $0.reading, files) }
        } catch {
            return [SourceContents(file, name: name, result: .failure(error), files)]
        }
    }

    /// The contents if a server can serve them, or else all errors.
    package var servableResult: Result<AccessoryFileContents, DocumentError> {
        result.servable(name: name)
    }
}

extension SourceContents {
    /// Reads a file of any kind with the files that it includes.
    ///
    /// Included files are named relative to the file, and are in its folder or below.
    package init(_ file: NamedFile) {
        let name = file.path
        let argument = AccessoryFileArgument(name)
        var files = SourceFiles(of: argument.path)
        do throws(DocumentError) {
            let reading = try AccessoryFile.read(files.readMain(), name: name, device: argument.device) {
                (included) throws(DocumentError) in try files.readIncluded(included)
            }
            self.init(file, name: name, result: .success(reading), files)
        } catch {
            self.init(file, name: name, result: .failure(error), files)
        }
    }

    /// Reads a file whose content is in memory, and that may not run programs.
    ///
    /// - Parameters:
    ///   - name: The name of the file, for messages.
    ///   - include: Returns the content of a file that this one includes, or `nil` if it does not exist.
    package init(_ bytes: [UInt8], name: String, include: (String) -> [UInt8]? = { _ in nil }) {
        let result = Result { () throws(DocumentError) in
            try AccessoryFile.read(bytes, name: name) { included throws(DocumentError) in include(included) }
        }
        self.init(name: name, result: result, bytes: bytes, origin: .file, files: [])
    }

    private init(
        _ file: NamedFile,
        name: String,
        result: Result<AccessoryFileContents, DocumentError>,
        _ files: SourceFiles
    ) {
        self.init(
            name: name,
            result: result.mapError { file.showable($0, in: name, .accessory, files.mainBytes) },
            bytes: files.mainBytes,
            origin: file.origin,
            files: files.readFiles
        )
    }
}

/// A reader of an accessory file and its included files.
///
/// It records each file, even if it cannot be read.
private struct SourceFiles {
    private let path: String
    /// The folder that must contain the file, or `nil` for any.
    private let folder: String?
    private(set) var mainBytes: [UInt8] = []
    private(set) var readFiles: [(path: String, stamp: FileStamp?)] = []

    init(of path: String, in folder: String? = nil) {
        self.path = path
        self.folder = folder
    }

    mutating func readMain() throws(DocumentError) -> [UInt8] {
        mainBytes = try readFile(path, in: folder)
        return mainBytes
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
