import ArgumentParser
import Foundation
import Glibc
import Synchronization
import TestSupport

/// A command that kills servers at random moments, restarts them, and checks that all acknowledged changes are still
/// stored.
struct KillCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kill",
        abstract: "Kill servers at random moments; nothing that was acknowledged may be lost."
    )

    @Option(help: "The release binary.")
    var hap = ".build/release/hap"

    @Option(help: "The number of kills.")
    var rounds = 500

    @Option(help: "The seed of the random moments; every run prints it.")
    var seed: UInt64?

    @Option(help: "The number of servers that are killed in parallel.")
    var jobs = 4

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        let seed = seed ?? UInt64.random(in: 0..<1 << 32)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hap-crash-\(getpid())").path
        printLine("\(rounds) kills, SEED=\(seed), state in \(folder)")
        let report = CrashTestReport(rounds: rounds)
        let ended = DispatchGroup()
        for job in 0..<jobs {
            let worker = Worker(
                job: job,
                jobs: jobs,
                seed: seed,
                rounds: rounds,
                hap: try Self.absolute(hap),
                folder: "\(folder)/\(job)",
                report: report
            )
            ended.enter()
            Thread.detachNewThread {
                worker.run()
                ended.leave()
            }
        }
        ended.wait()
        printLine(report.table)
        guard report.failureCount == 0 else {
            printLine("The state is in \(folder). SEED=\(seed) ROUNDS=\(rounds) repeats the same moments.")
            throw ExitCode.failure
        }
        try FileManager.default.removeItem(atPath: folder)
    }

    static func absolute(_ path: String) throws -> String {
        let url = URL(fileURLWithPath: path).standardizedFileURL
        guard FileManager.default.isExecutableFile(atPath: url.path) else {
            throw ValidationError("\(path) does not exist; run make crash-test, which builds it.")
        }
        return url.path
    }
}
