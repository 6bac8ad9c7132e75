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
    @Option var address: String

    /// Starts this command where it may mount.
    static func runInNamespace(hap: String, folder: String, address: String) throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let user = getuid() == 0 ? [] : ["--map-root-user"]
        let unshare = ["/usr/bin/unshare", "--mount"] + user
        guard try ServerUnderTest(unshare + ["/bin/true"], folder: folder).wait() == 0 else {
            return "left out, as this machine allows no mounts"
        }
        let command = [CommandLine.executablePath, "disk", "--hap", hap, "--folder", folder, "--address", address]
        guard try ServerUnderTest(unshare + command, folder: folder).wait() == 0 else {
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
        let testBench = try TestBench(hap: hap, folder: folder, address: address, random: SeededGenerator(seed: 1))
        try testBench.pair()
        guard let admin = testBench.admin else { throw TestFailure("no controller is paired") }
        let session = try testBench.session(as: admin)
        let guest = testBench.newController()
        var pairing = Pairing(identifier: guest.identifier, publicKey: guest.publicKey, isAdmin: false)

        try fill(state)
        var changes = 0
        do {
            while changes < 500 {
                try testBench.manage(.put(pairing), in: session)
                pairing.isAdmin.toggle()
                changes += 1
            }
            throw TestFailure("a full disk took everything")
        } catch PairingFailure.refused(.unknown) {
            try testBench.recordRefusal()
        }
        try testBench.checkStore()
        try testBench.writeColor(session)
        guard try testBench.readColor(session) == testBench.colors.latest else {
            throw TestFailure("the value is not in memory")
        }
        try waitFor("the log to say what to do") { testBench.log.contains("Free some space") }

        unlink(state + "/filler")
        try testBench.manage(.put(pairing), in: session)
        try testBench.checkStore()
        // The next try is a second after the last.
        usleep(1_800_000)
        try fill(state)
        try kill(testBench)
        try expectRefusal(testBench, remedy: "Free some space", canStart: true)
        unlink(state + "/filler")
        _ = try testBench.restartAndCheck(killedAt: .now)

        try kill(testBench)
        guard mount("tmpfs", state, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), "size=1m,mode=700") == 0 else {
            throw TestFailure("the disk cannot be made read-only")
        }
        try expectRefusal(testBench, remedy: "Name a state folder on a disk that can be written", canStart: false)
        guard mount("tmpfs", state, "tmpfs", UInt(MS_REMOUNT), "size=1m,mode=700") == 0 else {
            throw TestFailure("the disk cannot be made writable")
        }
        _ = try testBench.restartAndCheck(killedAt: .now)
        try kill(testBench)
    }

    private func kill(_ testBench: TestBench) throws {
        testBench.server.kill()
        _ = testBench.server.wait()
    }

    /// Starts the server where it cannot write: it ends with one sentence that says what to do.
    private func expectRefusal(_ testBench: TestBench, remedy: String, canStart: Bool) throws {
        let logged = testBench.log.count
        try testBench.restart()
        try waitFor("the server to end or to listen") {
            try !testBench.server.isRunning || (canStart && ReadyServer(folder: folder) != nil)
        }
        if testBench.server.isRunning {
            try kill(testBench)
            return
        }
        let said = String(testBench.log.dropFirst(logged))
        guard testBench.server.wait() == 1, said.contains(remedy), said.split(separator: "\n").count == 1 else {
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
