import AccessoryFiles
import AccessoryModel

/// What came of reading an accessory file with the files that it includes.
struct SourceReading: Sendable {
    /// The file as it was named, with the device ID of one of its devices.
    let name: String
    /// What it says, or everything that is wrong with it.
    let result: Result<AccessoryFileReading, AccessoryFileError>
    /// The files that it consists of, each with its stamp; without one where there is no such file.
    let files: [(path: String, stamp: FileStamp?)]

    /// Reads a file of any kind: one server each for a file that holds several devices, else one.
    static func all(of name: String) -> [SourceReading] {
        let argument = AccessoryFileArgument(name)
        guard argument.device == nil, let file = try? RegularFile(argument.path) else { return [SourceReading(name)] }
        let readings = AccessoryFile.readAll(file.bytes, name: name)
        guard !readings.isEmpty else { return [SourceReading(name)] }
        return readings.map { SourceReading(name: $0.name, result: $0.reading, files: [(argument.path, file.stamp)]) }
    }

    private init(
        name: String,
        result: Result<AccessoryFileReading, AccessoryFileError>,
        files: [(path: String, stamp: FileStamp?)]
    ) {
        self.name = name
        self.result = result
        self.files = files
    }

    /// Reads a file of any kind, and what it includes: files in its folder and below, by names relative to itself.
    init(_ name: String) {
        let argument = AccessoryFileArgument(name)
        var files: [(path: String, stamp: FileStamp?)] = []
        func content(_ path: String, in folder: String? = nil) throws(AccessoryFileError) -> [UInt8] {
            do throws(AccessoryFileError) {
                let file = try RegularFile(path, in: folder)
                files.append((path, file.stamp))
                return file.bytes
            } catch {
                files.append((path, FileStamp(path: path)))
                throw error
            }
        }
        do throws(AccessoryFileError) {
            let reading = try AccessoryFile.read(
                content(argument.path),
                name: name,
                device: argument.device
            ) { (included) throws(AccessoryFileError) in
                let path = argument.path
                return try content(included.resolved(beside: path), in: "./".resolved(beside: path))
            }
            result = .success(reading)
        } catch {
            result = .failure(error)
        }
        self.name = name
        self.files = files
    }

    /// What it says when a server can serve that, else everything that is wrong.
    var servable: Result<AccessoryFileReading, AccessoryFileError> {
        guard case .success(let reading) = result else { return result }
        let findings = reading.document.servingFaults.map { fault in
            FileFinding(.error, in: name, path: fault.path, fault.reason)
        }
        return findings.isEmpty ? result : .failure(AccessoryFileError(reading.warnings + findings))
    }
}
