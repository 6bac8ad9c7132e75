import Foundation

/// The folder with the seeds of all targets, one subfolder for each.
package struct SeedFolder {
    package let path: String

    /// Writes all seeds, and deletes files that are no longer seeds.
    package func write(_ targets: [any FuzzTarget.Type]) {
        do {
            for target in targets {
                let folder = URL(filePath: path).appending(path: target.name)
                if FileManager.default.fileExists(atPath: folder.path) {
                    try FileManager.default.removeItem(at: folder)
                }
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                for (name, bytes) in target.seeds {
                    try Data(bytes).write(to: folder.appending(path: name))
                }
            }
        } catch {
            fatalError("the seeds cannot be written: \(error)")
        }
    }
}
