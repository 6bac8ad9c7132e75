import Foundation
import Glibc
import TestSupport

extension ReadyServer {
    static func file(in folder: String) -> String {
        folder + "/ready.json"
    }

    /// Reads the ready file, or returns `nil` if it does not exist yet.
    init?(folder: String) throws {
        guard let bytes = FileManager.default.contents(atPath: Self.file(in: folder)) else { return nil }
        try self.init(Array(bytes))
    }

    /// Waits until the server listens, for at most a minute.
    static func wait(for serverUnderTest: ServerUnderTest, in folder: String) throws -> ReadyServer {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            if let ready = try ReadyServer(folder: folder) { return ready }
            guard serverUnderTest.isRunning else {
                throw TestFailure("the server ended during its start; see \(folder)/log")
            }
            usleep(500)
        }
        throw TestFailure("the server did not start within a minute")
    }
}
