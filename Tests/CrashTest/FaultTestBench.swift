import Foundation
import Glibc
import HAPCore
import TestSupport

/// A garage whose disk fails at each call of an operation, one after the other.
struct FaultTestBench {
    /// The operation of the garage during which its disk fails.
    enum Operation: String, CaseIterable {
        case pair, add, change, remove, wrongCode, write
    }

    private let bench: TestBench
    private let injector: DiskFaultInjector
    private let operation: Operation
    /// The number of calls that have failed.
    private(set) var failures = 0
    /// The number of operations that were acknowledged despite a failed call, because they did not depend on it.
    private(set) var acknowledged = 0

    init(_ operation: Operation, hap: String, library: String, folder: String, address: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        injector = try DiskFaultInjector(folder: folder)
        self.operation = operation
        bench = try TestBench(
            hap: hap,
            folder: folder,
            address: address,
            random: SeededRandom(seed: 1),
            environment: injector.environment(library: library)
        )
    }

    /// Makes the first call fail, then the second, until the operation makes no more calls.
    mutating func run() throws {
        for fault in DiskFaultInjector.Fault.all {
            var number = 1
            while try inject(fault, at: number, killed: false) {
                _ = try inject(fault, at: number, killed: true)
                number += 1
                guard number < 100 else { throw TestFailure("\(operation) makes 100 calls or more") }
            }
        }
        guard failures > 0 else { throw TestFailure("no call of \(operation) failed; is the library preloaded?") }
    }

    /// Runs the operation with one fault, and returns whether a call failed.
    ///
    /// - Parameter isKilled: Whether the server is killed before the disk works again.
    private mutating func inject(_ fault: DiskFaultInjector.Fault, at number: Int, killed isKilled: Bool) throws -> Bool
    {
        do {
            return try attempt(fault, at: number, killed: isKilled)
        } catch {
            throw TestFailure("\(operation), \(fault) at call \(number), killed \(isKilled): \(error)")
        }
    }

    private mutating func attempt(_ fault: DiskFaultInjector.Fault, at number: Int, killed isKilled: Bool) throws
        -> Bool
    {
        let session = try prepare()
        let logged = bench.log.count
        injector.arm(fault, at: number)
        defer { injector.disarm() }
        let isAcknowledged = try perform(in: session)
        let failed = injector.failedCount
        failures += failed
        guard failed > 0 else {
            guard isAcknowledged else { throw TestFailure("the operation was refused although no call failed") }
            return false
        }
        guard bench.server.isRunning else { throw TestFailure("the server ended") }
        // The response to a write does not depend on the store, and SQLite repeats a single short write.
        let isAnsweredAnyway = operation == .write
        if isAcknowledged, !isAnsweredAnyway || (fault.isShort && !fault.isPersistent) {
            acknowledged += 1
        } else {
            try waitForStoreErrorInLog(after: logged)
        }
        if isKilled {
            try killAndRestart(isAcknowledged)
        } else {
            injector.disarm()
            try checkRecovery(isAcknowledged)
        }
        return true
    }

    /// Brings the garage into a state in which the operation can begin.
    private func prepare() throws -> BlockingClient {
        switch operation {
        case .pair:
            if let admin = bench.admin {
                let session = try bench.session(as: admin)
                try bench.manage(.remove(admin.identifier), in: session)
            }
            return try bench.connect()
        case .wrongCode:
            if bench.table.failedProofs > 80 {
                try bench.pair()
                if let admin = bench.admin { try bench.manage(.remove(admin.identifier), in: bench.session(as: admin)) }
            }
            return try bench.connect()
        case .add, .change, .remove, .write:
            if bench.admin == nil { try bench.pair() }
            guard let admin = bench.admin else { throw TestFailure("no controller is paired") }
            let session = try bench.session(as: admin)
            for pairing in bench.table.pairings.dropFirst(2) {
                try bench.manage(.remove(pairing.identifier), in: session)
            }
            if bench.table.pairings.count == 1 {
                try bench.manage(.put(makeGuest()), in: session)
            }
            return session
        }
    }

    /// Performs the operation once, and returns whether it was acknowledged.
    private func perform(in session: BlockingClient) throws -> Bool {
        do {
            switch operation {
            case .pair: try bench.pair()
            case .add: try bench.manage(.put(makeGuest()), in: session)
            case .change:
                guard var guest = bench.table.pairings.last else { throw TestFailure("there is no guest") }
                guest.isAdmin.toggle()
                try bench.manage(.put(guest), in: session)
            case .remove:
                guard let guest = bench.table.pairings.last else { throw TestFailure("there is no guest") }
                try bench.manage(.remove(guest.identifier), in: session)
            case .wrongCode: try bench.tryWrongCode(session)
            case .write:
                try bench.writeColor(session)
                // The server saves the values half a second later.
                usleep(800_000)
            }
            return true
        } catch PairingFailure.refused(.unknown) {
            return false
        }
    }

    /// Checks that the server works again without a restart once the disk does.
    private func checkRecovery(_ wasAcknowledged: Bool) throws {
        switch operation {
        case .write:
            // The server retries a second later.
            usleep(1_800_000)
            try kill()
            return
        case .pair, .add, .change, .remove, .wrongCode:
            if !wasAcknowledged { try bench.recordRefusal() }
            if operation != .wrongCode {
                if wasAcknowledged { try bench.checkStore() }
                guard try perform(in: try prepare()) else { throw TestFailure("refused although the disk works") }
            } else {
                guard try perform(in: try bench.connect()) else {
                    throw TestFailure("refused although the disk works")
                }
            }
            try bench.checkStore()
        }
    }

    private func killAndRestart(_ wasAcknowledged: Bool) throws {
        let session = try operation == .write ? bench.admin.map { try bench.session(as: $0) } : nil
        if let session {
            guard try bench.readColor(session) == bench.colors.latest else {
                throw TestFailure("the server does not return the last value")
            }
            bench.colors.allowLoss()
        }
        try kill(disarming: true)
    }

    private func kill(disarming: Bool = false) throws {
        bench.server.kill()
        _ = bench.server.wait()
        if disarming { injector.disarm() }
        _ = try bench.restartAndCheck(killedAt: .now)
    }

    /// Waits until the log says that something was not saved, and what to do.
    private func waitForStoreErrorInLog(after count: Int) throws {
        for _ in 0..<100 {
            let new = bench.log.dropFirst(count)
            if new.contains("Not saved: "),
                new.contains("Check the disk") || new.contains("Free some space")
                    || new.contains("permission") || new.contains("can be written")
            {
                return
            }
            usleep(50_000)
        }
        throw TestFailure("the log contains no remedy: \(bench.log.dropFirst(count))")
    }

    private func makeGuest() -> Pairing {
        let guest = bench.newController()
        return Pairing(identifier: guest.identifier, publicKey: guest.publicKey, isAdmin: false)
    }
}
