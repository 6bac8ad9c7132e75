import ArgumentParser
import Foundation
import Glibc
import HAPCore
import TestSupport

/// A command that tests a server on a small disk of its own that is full or read-only.
///
/// It runs in a mount namespace, which ends with the command.
struct DiskCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "disk", shouldDisplay: false)

    @Option var hap: String
    @Option var folder: String
    @Option var address: String

    /// Runs this command in a namespace where it may mount disks.
    static func runInNamespace(hap: String, folder: String, address: String) throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let user = getuid() == 0 ? [] : ["--map-root-user"]
        let unshare = ["/usr/bin/unshare", "--mount"] + user
        guard try ServerUnderTest(unshare + ["/bin/true"], folder: folder).wait() == 0 else {
            return "skipped, because this machine does not allow mounts"
        }
        let command = [CommandLine.executablePath, "disk", "--hap", hap, "--folder", folder, "--address", address]
        guard try ServerUnderTest(unshare + command, folder: folder).wait() == 0 else {
            let log = FileManager.default.contents(atPath: folder + "/log") ?? Data()
            throw TestFailure(String(decoding: log, as: UTF8.self))
        }
        return "changes on a full disk are refused and logged; a start on a full or read-only disk is reported"
    }

    func run() throws {
        let state = folder + "/state"
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        guard mount("tmpfs", state, "tmpfs", 0, "size=1m,mode=700") == 0 else {
            throw TestFailure("cannot mount a tmpfs")
        }
        let testBench = try TestBench(hap: hap, folder: folder, address: address, random: SeededRandom(seed: 1))
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
            throw TestFailure("all changes were accepted on a full disk")
        } catch PairingFailure.refused(.unknown) {
            try testBench.recordRefusal()
        }
        try testBench.checkStore()
        try testBench.writeColor(session)
        guard try testBench.readColor(session) == testBench.colors.latest else {
            throw TestFailure("the server does not return the last value")
        }
        try waitFor("a remedy in the log") { testBench.log.contains("Free some space") }

        unlink(state + "/filler")
        try testBench.manage(.put(pairing), in: session)
        try testBench.checkStore()
        // The server retries a second after the last attempt.
        usleep(1_800_000)
        try fill(state)
        try kill(testBench)
        try expectRefusal(testBench, remedy: "Free some space", canStart: true)
        unlink(state + "/filler")
        _ = try testBench.restartAndCheck(killedAt: .now)

        try kill(testBench)
        guard mount("tmpfs", state, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), "size=1m,mode=700") == 0 else {
            throw TestFailure("cannot make the disk read-only")
        }
        try expectRefusal(testBench, remedy: "Name a state folder on a disk that can be written", canStart: false)
        guard mount("tmpfs", state, "tmpfs", UInt(MS_REMOUNT), "size=1m,mode=700") == 0 else {
            throw TestFailure("cannot make the disk writable")
        }
        _ = try testBench.restartAndCheck(killedAt: .now)
        try kill(testBench)
    }

    private func kill(_ testBench: TestBench) throws {
        testBench.server.kill()
        _ = testBench.server.wait()
    }

    /// Starts the server on a disk without room or write access, and expects that it ends with one line that says what
    /// to do.
    ///
    /// If `canStart` is true, the server may also start and listen.
    private func expectRefusal(_ testBench: TestBench, remedy: String, canStart: Bool) throws {
        let logged = testBench.log.count
        try testBench.restart()
        try waitFor("the server to end or listen") {
            try !testBench.server.isRunning || (canStart && ReadyServer(folder: folder) != nil)
        }
        if testBench.server.isRunning {
            try kill(testBench)
            return
        }
        let said = String(testBench.log.dropFirst(logged))
        guard testBench.server.wait() == 1, said.contains(remedy), said.split(separator: "\n").count == 1 else {
            throw TestFailure("expected exit code 1 and one line with the remedy, but the server printed: \(said)")
        }
    }

    /// Fills the disk.
    private func fill(_ state: String) throws {
        let file = open(state + "/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw TestFailure("cannot create the file that fills the disk") }
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
            "timed out waiting for \(what); log: "
                + "\(String(decoding: FileManager.default.contents(atPath: folder + "/log") ?? Data(), as: UTF8.self))"
        )
    }
}
