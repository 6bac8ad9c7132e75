import Foundation
import Glibc
import HAPCore

/// What a server says of itself once it listens.
struct ReadyServer {
    var deviceID: DeviceID
    var port: UInt16
    var isPaired: Bool

    static func file(in folder: String) -> String {
        folder + "/ready.json"
    }

    /// Reads the ready file; `nil` when there is none yet.
    init?(folder: String) throws {
        guard let bytes = FileManager.default.contents(atPath: Self.file(in: folder)) else { return nil }
        let server = try JSONValue(parsing: Array(bytes)).object?["servers"]?.array?.first?.object
        guard let deviceID = server?["deviceID"]?.string.flatMap(DeviceID.init),
            let port = server?["port"]?.unsigned.flatMap(UInt16.init(exactly:)),
            let isPaired = server?["paired"]?.bool
        else { throw Finding("the ready file is not whole") }
        self.deviceID = deviceID
        self.port = port
        self.isPaired = isPaired
    }

    /// Waits until the server listens.
    static func wait(for victim: Victim, in folder: String) throws -> ReadyServer {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            if let ready = try ReadyServer(folder: folder) { return ready }
            guard victim.isRunning else { throw Finding("the server ended at its start; see \(folder)/log") }
            usleep(500)
        }
        throw Finding("the server did not start in a minute")
    }
}
