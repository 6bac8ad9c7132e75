import Foundation
import Glibc
import HAPCore
import TestSupport

/// A job that kills its own garage and its own bridge, in an order that depends on the seed.
struct Worker: Sendable {
    var job: Int
    var jobs: Int
    var seed: UInt64
    var rounds: Int
    var hap: String
    var folder: String
    var report: CrashTestReport

    func run() {
        var random = SeededRandom(seed: seed &+ UInt64(job) << 32)
        var pace = ResponseTimes()
        var testBench: TestBench?
        var structures: StructureTestBench?
        for number in stride(from: job + 1, through: rounds, by: jobs) {
            // The kind depends only on the seed and the round, not on earlier rounds.
            var choice = SeededRandom(seed: seed &+ UInt64(number))
            let kind = RoundKind.allCases.randomElement(using: &choice) ?? .start
            do {
                let tally: Tally
                switch kind {
                case .structure:
                    let present =
                        try structures
                        ?? StructureTestBench(
                            executable: CommandLine.executablePath,
                            folder: "\(folder)/bridge-\(number)",
                            address: address(2),
                            random: SeededRandom(seed: random.next())
                        )
                    structures = present
                    tally = try present.runRound()
                case .start where Bool.random(using: &choice):
                    tally = try FirstStart.runRound(
                        hap: hap,
                        folder: "\(folder)/first-\(number)",
                        address: address(3),
                        random: &random,
                        responseTimes: &pace
                    )
                default:
                    let present =
                        try testBench
                        ?? TestBench(
                            hap: hap,
                            folder: "\(folder)/garage-\(number)",
                            address: address(1),
                            random: SeededRandom(seed: random.next()),
                            responseTimes: pace
                        )
                    testBench = present
                    tally = try present.runRound(kind)
                }
                report.record(kind, tally)
            } catch {
                report.recordFailure(kind, "round \(number), \(kind), in \(folder): \(error)")
                // The folder of the failure stays as it is, and the next round uses a new server.
                (testBench, structures) = (nil, nil)
            }
        }
    }

    private func address(_ number: Int) -> String {
        Self.address(job * 4 + number)
    }

    /// Returns an address on which no other program listens, and from which this machine opens no connections.
    static func address(_ number: Int) -> String {
        let process = UInt32(bitPattern: getpid())
        return "127.\(64 + (process >> 8 & 0x3F)).\(process & 0xFF).\(number)"
    }
}

extension CommandLine {
    /// The path of this program.
    static var executablePath: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "CrashTest"
    }
}
