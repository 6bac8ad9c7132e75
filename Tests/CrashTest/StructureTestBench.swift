import Foundation
import Glibc
import HAPCore
import TestSupport

/// A bridge that is killed repeatedly while its accessories are replaced.
final class StructureTestBench {
    private let folder: String
    private let address: String
    private let executable: String
    private var random: SeededRandom
    private var responseTimes = ResponseTimes()
    private var channel: LineChannel
    private var controller = ControllerIdentity.random(identifier: Fixture.identifier("controller"))
    private var pairing: AccessoryPairing
    /// The structure that the server has acknowledged, with its configuration number below.
    private var acknowledgedStructure = 1
    private var configurationNumber: Int64 = 1
    /// The structure that was requested and not acknowledged yet.
    private var pendingStructure: Int?
    private var ids: [String: String] = [:]
    private var storedIDs: [String: Int64] = [:]
    private var tally = Tally()

    init(executable: String, folder: String, address: String, random: SeededRandom) throws {
        self.executable = executable
        self.folder = folder
        self.address = address
        self.random = random
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        channel = try LineChannel(Self.command(executable, folder, address, acknowledgedStructure), folder: folder)
        let port = try Self.port(in: try channel.readLine())
        let connection = try BlockingClient(to: ServerEndpoint(address: address, port: port))
        pairing = try connection.pair(as: controller, code: TestBench.setupCode)
    }

    /// Kills the bridge while its accessories are replaced, or while it starts with other ones.
    func runRound() throws -> Tally {
        tally = Tally()
        do {
            if Int.random(in: 0..<3, using: &random) == 0 {
                try changeAtStart()
            } else {
                try changeWhileServing()
            }
        } catch is ConnectionClosed {}
        _ = channel.server.wait()
        try restartAndCheck()
        return tally
    }

    private func changeWhileServing() throws {
        let message = Int.random(in: 1...3, using: &random)
        let killPoint = KillPoint(
            channel.server,
            drawnFrom: &random,
            message: message,
            duration: responseTimes["replace"]
        )
        defer { _ = killPoint.waitForKill() }
        for _ in 1...3 {
            let new = drawStructure()
            pendingStructure = new
            try channel.write("replace \(new)")
            let begin = ContinuousClock.now
            killPoint.didSend()
            try recordAcknowledgement(try channel.readLine())
            responseTimes.record("replace", .now - begin)
            killPoint.didReceive()
        }
    }

    private func changeAtStart() throws {
        channel.server.kill()
        _ = channel.server.wait()
        let new = drawStructure()
        pendingStructure = new
        channel = try LineChannel(Self.command(executable, folder, address, new), folder: folder)
        let delay = Double.random(in: 0...1.3, using: &random) * responseTimes["start"]
        let killPoint = KillPoint(channel.server, in: .seconds(delay))
        defer { _ = killPoint.waitForKill() }
        try recordAcknowledgement(try channel.readLine())
    }

    /// Records an acknowledgement.
    private func recordAcknowledgement(_ line: String) throws {
        guard let new = pendingStructure else { return }
        try recordIDs(line)
        acknowledgedStructure = new
        configurationNumber += 1
        pendingStructure = nil
        tally.acknowledged += 1
    }

    /// Restarts the bridge with the acknowledged or the requested structure, and checks its configuration number.
    ///
    /// The number shows which of the two structures was stored.
    private func restartAndCheck() throws {
        let begun = pendingStructure.flatMap { Bool.random(using: &random) ? $0 : nil } ?? acknowledgedStructure
        let begin = ContinuousClock.now
        channel = try LineChannel(Self.command(executable, folder, address, begun), folder: folder)
        let line: String
        do {
            line = try channel.readLine()
        } catch is ConnectionClosed {
            throw TestFailure("the server ended during its start; see \(folder)/log")
        }
        tally.restartDuration = .now - begin
        responseTimes.record("start", tally.restartDuration)
        try recordIDs(line)

        let view = try StoreSnapshot(folder: folder + "/state")
        let unchanged = configurationNumber + (begun == acknowledgedStructure ? 0 : 1)
        let changed = pendingStructure.map { configurationNumber + 1 + (begun == $0 ? 0 : 1) }
        guard view.configurationNumber == unchanged || view.configurationNumber == changed else {
            throw TestFailure(
                "the configuration number is \(view.configurationNumber), not \(unchanged) or \(changed ?? unchanged)"
            )
        }
        if let changed, changed != unchanged {
            if view.configurationNumber == changed { tally.stored += 1 } else { tally.absent += 1 }
        }
        (acknowledgedStructure, configurationNumber, pendingStructure) = (begun, view.configurationNumber, nil)
        for (key, id) in storedIDs where view.ids[key] != id {
            throw TestFailure("the id of \(key) has changed or is missing")
        }
        storedIDs = view.ids
        let session = try BlockingClient(to: ServerEndpoint(address: address, port: try Self.port(in: line)))
        try session.verify(as: controller, of: pairing)
    }

    private func recordIDs(_ line: String) throws {
        for word in line.split(separator: " ") where word.hasPrefix("unit") {
            let parts = word.split(separator: "=").map(String.init)
            guard let unit = parts.first, let id = parts.last else { continue }
            guard ids[unit] ?? id == id else {
                throw TestFailure("the id of \(unit) has changed from \(ids[unit] ?? "none") to \(id)")
            }
            ids[unit] = id
        }
        guard Set(ids.values).count == ids.count else { throw TestFailure("an id was assigned twice: \(ids)") }
    }

    /// Returns a random structure other than the present one.
    private func drawStructure() -> Int {
        (acknowledgedStructure + Int.random(in: 1..<StructureServer.count, using: &random)) % StructureServer.count
    }

    private static func command(_ executable: String, _ folder: String, _ place: String, _ structure: Int) -> [String] {
        [executable, "serve", "--state", folder + "/state", "--bind", place, "--structure", "\(structure)"]
    }

    private static func port(in line: String) throws -> UInt16 {
        let word = line.split(separator: " ").last { $0.hasPrefix("port=") }
        guard let port = word.flatMap({ UInt16($0.dropFirst(5)) }) else { throw TestFailure("no port in «\(line)»") }
        return port
    }
}
