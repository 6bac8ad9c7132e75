import Foundation
import Glibc
import HAPCore
import TestSupport

/// A limit on the size of files, which the system enforces with a signal.
enum SizeLimit {
    static func check(hap: String, folder: String, place: String) throws -> String {
        let lab = try Lab(hap: hap, folder: folder, place: place, random: SeededGenerator(seed: 1))
        try lab.pair()
        guard let admin = lab.admin else { throw TestFailure("no controller is paired") }
        let session = try lab.session(as: admin)
        try limit(lab, "8192")
        let guest = lab.newController()
        let pairing = Pairing(identifier: guest.identifier, publicKey: guest.publicKey, isAdmin: false)
        do {
            try lab.manage(.put(pairing), in: session)
            throw TestFailure("a controller was added beyond the limit")
        } catch PairingFailure.refused(.unknown) {
            try lab.withdraw()
        }
        try lab.checkStore()
        try limit(lab, "unlimited")
        try lab.manage(.put(pairing), in: session)
        try lab.checkStore()
        lab.victim.kill()
        _ = lab.victim.wait()
        _ = try lab.revive(killedAt: .now)
        return "refused, and done when it was lifted"
    }

    private static func limit(_ lab: Lab, _ size: String) throws {
        let process = "\(lab.victim.processID)"
        let command = ["/usr/bin/prlimit", "--pid", process, "--fsize=\(size):unlimited"]
        guard try Victim(command, folder: lab.folder).wait() == 0 else { throw TestFailure("the limit cannot be set") }
    }
}
