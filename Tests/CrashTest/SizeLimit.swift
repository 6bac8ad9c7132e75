import Foundation
import Glibc
import HAPCore
import TestSupport

/// A test of the limit on the size of files, which the system enforces with a signal.
enum SizeLimit {
    static func check(hap: String, folder: String, address: String) throws -> String {
        let testBench = try TestBench(hap: hap, folder: folder, address: address, random: SeededRandom(seed: 1))
        try testBench.pair()
        guard let admin = testBench.admin else { throw TestFailure("no controller is paired") }
        let session = try testBench.session(as: admin)
        try limit(testBench, "8192")
        let guest = testBench.newController()
        let pairing = Pairing(identifier: guest.identifier, publicKey: guest.publicKey, isAdmin: false)
        do {
            try testBench.manage(.put(pairing), in: session)
            throw TestFailure("a controller was added beyond the limit")
        } catch PairingFailure.refused(.unknown) {
            try testBench.recordRefusal()
        }
        try testBench.checkStore()
        try limit(testBench, "unlimited")
        try testBench.manage(.put(pairing), in: session)
        try testBench.checkStore()
        testBench.server.kill()
        _ = testBench.server.wait()
        _ = try testBench.restartAndCheck(killedAt: .now)
        return "a change is refused at the limit, and accepted once it is lifted"
    }

    private static func limit(_ testBench: TestBench, _ size: String) throws {
        let process = "\(testBench.server.processID)"
        let command = ["/usr/bin/prlimit", "--pid", process, "--fsize=\(size):unlimited"]
        guard try ServerUnderTest(command, folder: testBench.folder).wait() == 0 else {
            throw TestFailure("cannot set the limit")
        }
    }
}
