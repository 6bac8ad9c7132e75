import ArgumentParser
import Foundation
import Glibc
import HAPCore
import TestSupport

/// A small disk of its own, which is full, or read-only.
///
/// Runs in a mount namespace that ends with it.
struct DiskCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "disk", shouldDisplay: false)

    @Option var hap: String
    @Option var folder: String
    @Option var place: String

    /// Starts this command where it may mount.
    static func runInNamespace(hap: String, folder: String, place: String) throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let user = getuid() == 0 ? [] : ["--map-root-user"]
        let unshare = ["/usr/bin/unshare", "--mount"] + user
        guard try Victim(unshare + ["/bin/true"], folder: folder).wait() == 0 else {
            return "left out, as this machine allows no mounts"
        }
        let command = [CommandLine.executablePath, "disk", "--hap", hap, "--folder", folder, "--place", place]
        guard try Victim(unshare + command, folder: folder).wait() == 0 else {
            let log = FileManager.default.contents(atPath: folder + "/log") ?? Data()
            throw TestFailure(String(decoding: log, as: UTF8.self))
        }
        return "full: refused, said, done when there was room; full or read-only at the start: said in a sentence"
    }

    func run() throws {
        let state = folder + "/state"
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        guard mount("tmpfs", state, "tmpfs", 0, "size=1m,mode=700") == 0 else {
            throw TestFailure("a tmpfs cannot be mounted")
        }
        let lab = try Lab(hap: hap, folder: folder, place: place, random: SeededGenerator(seed: 1))
        try lab.pair()
        guard let admin = lab.admin else { throw TestFailure("no controller is paired") }
        let session = try lab.session(as: admin)
        let guest = lab.newController()
        var pairing = Pairing(identifier: guest.identifier, publicKey: guest.publicKey, isAdmin: false)

        try fill(state)
        var changes = 0
        do {
            while changes < 500 {
                try lab.manage(.put(pairing), in: session)
                pairing.isAdmin.toggle()
                changes += 1
            }
            throw TestFailure("a full disk took everything")
        } catch PairingFailure.refused(.unknown) {
            try lab.withdraw()
        }
        try lab.checkStore()
        try lab.paint(session)
        guard try lab.color(session) == lab.colors.latest else { throw TestFailure("the value is not in memory") }
        try waitFor("the log to say what to do") { lab.log.contains("Free some space") }

        unlink(state + "/filler")
        try lab.manage(.put(pairing), in: session)
        try lab.checkStore()
        // The next try is a second after the last.
        usleep(1_800_000)
        try fill(state)
        try kill(lab)
        try expectRefusal(lab, remedy: "Free some space", mayStart: true)
        unlink(state + "/filler")
        _ = try lab.revive(killedAt: .now)

        try kill(lab)
        guard mount("tmpfs", state, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), "size=1m,mode=700") == 0 else {
            throw TestFailure("the disk cannot be made read-only")
        }
        try expectRefusal(lab, remedy: "Name a state folder on a disk that can be written", mayStart: false)
        guard mount("tmpfs", state, "tmpfs", UInt(MS_REMOUNT), "size=1m,mode=700") == 0 else {
            throw TestFailure("the disk cannot be made writable")
        }
        _ = try lab.revive(killedAt: .now)
        try kill(lab)
    }

    private func kill(_ lab: Lab) throws {
        lab.victim.kill()
        _ = lab.victim.wait()
    }

    /// Starts the server where it cannot write: it ends with one sentence that says what to do.
    private func expectRefusal(_ lab: Lab, remedy: String, mayStart: Bool) throws {
        let logged = lab.log.count
        try lab.restart()
        try waitFor("the server to end or to listen") {
            try !lab.victim.isRunning || (mayStart && ReadyServer(folder: folder) != nil)
        }
        if lab.victim.isRunning {
            try kill(lab)
            return
        }
        let said = String(lab.log.dropFirst(logged))
        guard lab.victim.wait() == 1, said.contains(remedy), said.split(separator: "\n").count == 1 else {
            throw TestFailure("it ended, and said: \(said)")
        }
    }

    /// Takes all the room that is left.
    private func fill(_ state: String) throws {
        let file = open(state + "/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw TestFailure("no filler") }
        let block = [UInt8](repeating: 0xA5, count: 4_096)
        while write(file, block, block.count) > 0 {}
        close(file)
    }

    private func waitFor(_ what: String, _ condition: () throws -> Bool) throws {
        for _ in 0..<600 {
            if try condition() { return }
            usleep(50_000)
        }
        throw TestFailure(
            "waited in vain for \(what); the log: \(String(decoding: FileManager.default.contents(atPath: folder + "/log") ?? Data(), as: UTF8.self))"
        )
    }
}
