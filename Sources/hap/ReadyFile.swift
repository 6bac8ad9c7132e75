import Foundation
import HAPCore
import HAPServer
import Storage

/// What a script reads to know that everything listens, and how to pair.
struct ReadyFile: Sendable {
    let bytes: [UInt8]

    init(servers: [(key: String, information: ServerInformation)]) {
        let text = JSONWriter.line { writer in
            writer.list("servers", servers) { server, writer in
                let information = server.information
                writer.member("name", information.name)
                writer.member("key", server.key)
                writer.member("deviceID", information.deviceID.text)
                writer.member("port", Int(information.port))
                writer.member("setupCode", information.setupCode.text)
                writer.member("setupURI", information.setupURI)
                writer.member("category", Int(information.category.rawValue))
                writer.member("paired", information.isPaired)
            }
            writer.member("console", String?.none)
        }
        bytes = Array(text.utf8)
    }

    /// Writes the file in one step: a reader sees all of it or nothing.
    ///
    /// Only its owner may read the setup code in it, also while it is written.
    func write(to path: String) throws(CommandFailure) {
        do throws(AtomicFile.Failure) {
            try AtomicFile.write(bytes, to: path, permissions: .owner)
        } catch {
            throw CommandFailure.failed(
                "The ready file \(path) cannot be written; name one in a folder that you may write to."
            )
        }
    }

    /// Removes the file that a process which was killed has left: it describes another server.
    ///
    /// - Throws: ``CommandFailure`` when the name is that of a device, a pipe or a folder, which is never replaced.
    static func prepare(_ path: String) throws(CommandFailure) {
        guard AtomicFile.canReplace(path) else {
            throw CommandFailure.failed("\(path.printable) is not a file: name a file as the ready file.")
        }
        remove(path)
    }

    /// Removes the file when the server has stopped; a device, a pipe or a folder of this name stays.
    static func remove(_ path: String) {
        if AtomicFile.canReplace(path) {
            unlink(path)
        }
    }
}
