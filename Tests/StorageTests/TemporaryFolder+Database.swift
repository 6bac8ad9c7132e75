import Foundation
import TestSupport

extension TemporaryFolder {
    /// The path of a state folder that does not exist yet.
    var state: String { self("state") }
    var database: String { state + "/hap.sqlite" }

    /// Returns the bytes of the database files that exist, by suffix.
    func contents() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: database + suffix) {
            contents[suffix] = try Data(contentsOf: URL(fileURLWithPath: database + suffix))
        }
        return contents
    }

    /// Returns the permission bits of a file.
    static func permissions(of path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }
}
