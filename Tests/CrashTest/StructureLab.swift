import Foundation
import Glibc
import HAPCore
import TestSupport

/// A bridge whose accessories are replaced while it is killed again and again.
final class StructureLab {
    private let folder: String
    private let place: String
    private let executable: String
    private var random: SeededGenerator
    private var pace = Pace()
    private var channel: LineChannel
    private var controller = ControllerIdentity.random(identifier: Fixture.identifier("controller"))
    private var pairing: AccessoryPairing
    /// What the server has acknowledged, and how it is numbered.
    private var structure = 1
    private var number: Int64 = 1
    /// What it was asked for and has not acknowledged.
    private var pending: Int?
    private var ids: [String: String] = [:]
    private var storedIDs: [String: Int64] = [:]
    private var tally = Tally()

    init(executable: String, folder: String, place: String, random: SeededGenerator) throws {
        self.executable = executable
        self.folder = folder
        self.place = place
        self.random = random
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        channel = try LineChannel(Self.command(executable, folder, place, structure), folder: folder)
        let port = try Self.port(in: try channel.readLine())
        let connection = try BlockingClient(to: ServerPlace(address: place, port: port))
        pairing = try connection.pair(as: controller, code: Lab.setupCode)
    }

    /// Kills the bridge while it takes other accessories, or starts with others.
    func round() throws -> Tally {
        tally = Tally()
        do {
            if Int.random(in: 0..<3, using: &random) == 0 {
                try changeAtStart()
            } else {
                try changeWhileServing()
            }
        } catch is ConnectionEnded {}
        _ = channel.victim.wait()
        try revive()
        return tally
    }

    private func changeWhileServing() throws {
        let message = Int.random(in: 1...3, using: &random)
        let strike = Strike(channel.victim, drawnFrom: &random, message: message, takes: pace["replace"])
        defer { _ = strike.finish() }
        for _ in 1...3 {
            let new = drawStructure()
            pending = new
            try channel.write("replace \(new)")
            let begin = ContinuousClock.now
            strike.noteSent()
            try note(try channel.readLine())
            pace.note("replace", .now - begin)
            strike.noteReceived()
        }
    }

    private func changeAtStart() throws {
        channel.victim.kill()
        _ = channel.victim.wait()
        let new = drawStructure()
        pending = new
        channel = try LineChannel(Self.command(executable, folder, place, new), folder: folder)
        let delay = Double.random(in: 0...1.3, using: &random) * pace["start"]
        let strike = Strike(channel.victim, in: .seconds(delay))
        defer { _ = strike.finish() }
        try note(try channel.readLine())
    }

    /// Takes an acknowledgement.
    private func note(_ line: String) throws {
        guard let new = pending else { return }
        try noteIDs(line)
        structure = new
        number += 1
        pending = nil
        tally.acknowledged += 1
    }

    /// Starts again with what was acknowledged or with what was asked for last: the number tells which of them was kept.
    private func revive() throws {
        let begun = pending.flatMap { Bool.random(using: &random) ? $0 : nil } ?? structure
        let begin = ContinuousClock.now
        channel = try LineChannel(Self.command(executable, folder, place, begun), folder: folder)
        let line: String
        do {
            line = try channel.readLine()
        } catch is ConnectionEnded {
            throw TestFailure("the server ended at its start; see \(folder)/log")
        }
        tally.restart = .now - begin
        pace.note("start", tally.restart)
        try noteIDs(line)

        let view = try StoreView(folder: folder + "/state")
        let unchanged = number + (begun == structure ? 0 : 1)
        let changed = pending.map { number + 1 + (begun == $0 ? 0 : 1) }
        guard view.configurationNumber == unchanged || view.configurationNumber == changed else {
            throw TestFailure(
                "the configuration number is \(view.configurationNumber), not \(unchanged) nor \(changed ?? unchanged)"
            )
        }
        if let changed, changed != unchanged {
            if view.configurationNumber == changed { tally.kept += 1 } else { tally.gone += 1 }
        }
        (structure, number, pending) = (begun, view.configurationNumber, nil)
        for (key, id) in storedIDs where view.ids[key] != id {
            throw TestFailure("\(key) has another id than before, or none")
        }
        storedIDs = view.ids
        let session = try BlockingClient(to: ServerPlace(address: place, port: try Self.port(in: line)))
        try session.verify(as: controller, of: pairing)
    }

    private func noteIDs(_ line: String) throws {
        for word in line.split(separator: " ") where word.hasPrefix("unit") {
            let parts = word.split(separator: "=").map(String.init)
            guard let unit = parts.first, let id = parts.last else { continue }
            guard ids[unit] ?? id == id else {
                throw TestFailure("\(unit) has the id \(id), and had \(ids[unit] ?? "none")")
            }
            ids[unit] = id
        }
        guard Set(ids.values).count == ids.count else { throw TestFailure("an id was given twice: \(ids)") }
    }

    /// Another structure than the present one.
    private func drawStructure() -> Int {
        (structure + Int.random(in: 1..<StructureServer.count, using: &random)) % StructureServer.count
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
