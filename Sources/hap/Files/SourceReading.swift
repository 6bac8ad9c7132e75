import AccessoryFiles
import AccessoryModel

/// What came of reading an accessory file with the files that it includes.
struct SourceReading: Sendable {
    /// What it says, or everything that is wrong with it.
    let result: Result<AccessoryFileReading, AccessoryFileError>
    /// The files that it consists of, each with its stamp; without one where there is no such file.
    let files: [(path: String, stamp: FileStamp?)]

    /// Reads a file of any kind, and what it includes: files in its folder and below, by names relative to itself.
    init(_ path: String) {
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
            let reading = try AccessoryFile.read(content(path), name: path) { (included) throws(AccessoryFileError) in
                try content(included.resolved(beside: path), in: "./".resolved(beside: path))
            }
            result = .success(reading)
        } catch {
            result = .failure(error)
        }
        self.files = files
    }

    /// What it says when a server can serve that, else everything that is wrong.
    var servable: Result<AccessoryFileReading, AccessoryFileError> {
        guard case .success(let reading) = result else { return result }
        let findings = reading.document.servingFaults.map { fault in
            FileFinding(.error, in: files[0].path, path: fault.path, fault.reason)
        }
        return findings.isEmpty ? result : .failure(AccessoryFileError(reading.warnings + findings))
    }
}
