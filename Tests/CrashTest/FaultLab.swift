import Foundation
import Glibc
import HAPCore
import TestSupport

/// A garage whose disk fails at every call that an operation makes, one after the other.
struct FaultLab {
    /// What the garage is asked to do while its disk fails.
    enum Operation: String, CaseIterable {
        case pair, add, change, remove, prove, write
    }

    private let lab: Lab
    private let faults: FaultSwitch
    private let operation: Operation
    /// How many calls have failed altogether.
    private(set) var failures = 0
    /// How many operations were acknowledged although a call had failed, as nothing of them depends on it.
    private(set) var acknowledged = 0

    init(_ operation: Operation, hap: String, library: String, folder: String, place: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        faults = try FaultSwitch(folder: folder)
        self.operation = operation
        lab = try Lab(
            hap: hap,
            folder: folder,
            place: place,
            random: SeededGenerator(seed: 1),
            environment: faults.environment(library: library)
        )
    }

    /// Lets the first call fail, then the second, until the operation makes no more.
    mutating func run() throws {
        for fault in FaultSwitch.Fault.all {
            var number = 1
            while try fails(fault, at: number, killed: false) {
                _ = try fails(fault, at: number, killed: true)
                number += 1
                guard number < 100 else { throw TestFailure("\(operation) makes a hundred calls") }
            }
        }
        guard failures > 0 else { throw TestFailure("no call of \(operation) failed; is the library preloaded?") }
    }

    /// Runs the operation with one fault; returns whether that was met.
    ///
    /// - Parameter isKilled: whether the power goes before the disk works again.
    private mutating func fails(_ fault: FaultSwitch.Fault, at number: Int, killed isKilled: Bool) throws -> Bool {
        do {
            return try attempt(fault, at: number, killed: isKilled)
        } catch {
            throw TestFailure("\(operation), \(fault) at call \(number), killed \(isKilled): \(error)")
        }
    }

    private mutating func attempt(_ fault: FaultSwitch.Fault, at number: Int, killed isKilled: Bool) throws -> Bool {
        let session = try prepare()
        let logged = lab.log.count
        faults.arm(fault, at: number)
        defer { faults.disarm() }
        let isAcknowledged = try perform(in: session)
        let failed = faults.failed
        failures += failed
        guard failed > 0 else {
            guard isAcknowledged else { throw TestFailure("it was refused although nothing failed") }
            return false
        }
        guard lab.victim.isRunning else { throw TestFailure("the server has ended") }
        // This is answered alike, kept or not; SQLite makes up for one short write by itself.
        let isAnsweredAnyway = operation == .write
        if isAcknowledged, !isAnsweredAnyway || (fault.isShort && !fault.lasts) {
            acknowledged += 1
        } else {
            try waitForComplaint(after: logged)
        }
        if isKilled {
            try killAndRevive(isAcknowledged)
        } else {
            faults.disarm()
            try recover(isAcknowledged)
        }
        return true
    }

    /// Brings the garage to where the operation can begin.
    private func prepare() throws -> BlockingClient {
        switch operation {
        case .pair:
            if let admin = lab.admin {
                let session = try lab.session(as: admin)
                try lab.manage(.remove(admin.identifier), in: session)
            }
            return try lab.connect()
        case .prove:
            if lab.table.failedProofs > 80 {
                try lab.pair()
                if let admin = lab.admin { try lab.manage(.remove(admin.identifier), in: lab.session(as: admin)) }
            }
            return try lab.connect()
        case .add, .change, .remove, .write:
            if lab.admin == nil { try lab.pair() }
            guard let admin = lab.admin else { throw TestFailure("no controller is paired") }
            let session = try lab.session(as: admin)
            for pairing in lab.table.pairings.dropFirst(2) {
                try lab.manage(.remove(pairing.identifier), in: session)
            }
            if lab.table.pairings.count == 1 {
                try lab.manage(.put(newGuest()), in: session)
            }
            return session
        }
    }

    /// Asks for it once; returns whether it was acknowledged.
    private func perform(in session: BlockingClient) throws -> Bool {
        do {
            switch operation {
            case .pair: try lab.pair()
            case .add: try lab.manage(.put(newGuest()), in: session)
            case .change:
                guard var guest = lab.table.pairings.last else { throw TestFailure("there is no guest") }
                guest.isAdmin.toggle()
                try lab.manage(.put(guest), in: session)
            case .remove:
                guard let guest = lab.table.pairings.last else { throw TestFailure("there is no guest") }
                try lab.manage(.remove(guest.identifier), in: session)
            case .prove: try lab.prove(session)
            case .write:
                try lab.paint(session)
                // The store is asked half a second later.
                usleep(800_000)
            }
            return true
        } catch PairingFailure.refused(.unknown) {
            return false
        }
    }

    /// The disk works again: so does the server, without a restart.
    private func recover(_ wasAcknowledged: Bool) throws {
        switch operation {
        case .write:
            // The next try is a second later.
            usleep(1_800_000)
            try kill()
            return
        case .pair, .add, .change, .remove, .prove:
            if !wasAcknowledged { try lab.withdraw() }
            if operation != .prove {
                if wasAcknowledged { try lab.checkStore() }
                guard try perform(in: try prepare()) else { throw TestFailure("it is refused although the disk works") }
            } else {
                guard try perform(in: try lab.connect()) else {
                    throw TestFailure("it is refused although the disk works")
                }
            }
            try lab.checkStore()
        }
    }

    private func killAndRevive(_ wasAcknowledged: Bool) throws {
        let session = try operation == .write ? lab.admin.map { try lab.session(as: $0) } : nil
        if let session {
            guard try lab.color(session) == lab.colors.latest else { throw TestFailure("the value is not in memory") }
            lab.colors.forgive()
        }
        try kill(disarming: true)
    }

    private func kill(disarming: Bool = false) throws {
        lab.victim.kill()
        _ = lab.victim.wait()
        if disarming { faults.disarm() }
        _ = try lab.revive(killedAt: .now)
    }

    /// The log says that something was not kept, and what to do.
    private func waitForComplaint(after count: Int) throws {
        for _ in 0..<100 {
            let new = lab.log.dropFirst(count)
            if new.contains("Not kept: "),
                new.contains("Check the disk") || new.contains("Free some space")
                    || new.contains("permission") || new.contains("can be written")
            {
                return
            }
            usleep(50_000)
        }
        throw TestFailure("the log does not say what to do: \(lab.log.dropFirst(count))")
    }

    private func newGuest() -> Pairing {
        let guest = lab.newController()
        return Pairing(identifier: guest.identifier, publicKey: guest.publicKey, isAdmin: false)
    }
}
