import Foundation
import HAPCore
import TestSupport

/// A test that acknowledgements are sent after the store was synced, and that no other response waits for the disk.
enum SyncOrder {
    static func check(hap: String, library: String, folder: String, address: String) throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let faults = try DiskFaultInjector(folder: folder)
        let environment = faults.environment(library: library)
        let testBench = try TestBench(
            hap: hap,
            folder: folder,
            address: address,
            random: SeededRandom(seed: 1),
            environment: environment
        )
        var outcome: [String] = []
        func expectSync(_ name: String, _ operation: () throws -> Void) throws {
            let trace = try faults.trace(operation)
            guard let reply = trace.lastIndex(of: ">"), let write = trace[..<reply].lastIndex(of: "w"),
                let sync = trace[..<reply].lastIndex(of: "s"), write < sync
            else { throw TestFailure("\(name) was acknowledged before it was on disk: \(trace)") }
            outcome.append("\(name) \(trace)")
        }

        let connection = try testBench.connect()
        try expectSync("prove") { try testBench.tryWrongCode(connection) }
        try expectSync("pair") { try testBench.pair() }
        guard let admin = testBench.admin else { throw TestFailure("no controller is paired") }
        let session = try testBench.session(as: admin)
        let guest = testBench.newController()
        for isAdmin in [false, true] {
            let pairing = Pairing(identifier: guest.identifier, publicKey: guest.publicKey, isAdmin: isAdmin)
            try expectSync(isAdmin ? "change" : "add") { try testBench.manage(.put(pairing), in: session) }
        }
        try expectSync("remove") { try testBench.manage(.remove(guest.identifier), in: session) }

        let write = try faults.trace { try testBench.writeColor(session) }
        guard !write.prefix(while: { $0 != ">" }).contains("s") else {
            throw TestFailure("a write waited for the disk: \(write)")
        }
        outcome.append("write \(write)")

        let command = [
            CommandLine.executablePath, "serve", "--state", folder + "/bridge", "--bind", address, "--structure", "1",
        ]
        var channel: LineChannel?
        // The line with the port is the first output that depends on the identity and the ids.
        try expectSync("first start") {
            let started = try LineChannel(command, environment: environment, folder: folder)
            _ = try started.readLine()
            channel = started
        }
        try expectSync("structure") {
            try channel?.write("replace 2")
            _ = try channel?.readLine()
        }
        return "each acknowledgement was sent after its sync: " + outcome.joined(separator: ", ")
    }
}
