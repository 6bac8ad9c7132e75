import Foundation
import Glibc
import TestSupport

/// Kills one garage and one bridge in turn, on a thread of its own.
struct Worker: Sendable {
    var job: Int
    var jobs: Int
    var seed: UInt64
    var rounds: Int
    var hap: String
    var folder: String
    var report: Report

    func run() {
        var random = SeededGenerator(seed: seed &+ UInt64(job) << 32)
        var pace = Pace()
        var lab: Lab?
        var structures: StructureLab?
        for number in stride(from: job + 1, through: rounds, by: jobs) {
            // Whatever the rounds before have drawn.
            var choice = SeededGenerator(seed: seed &+ UInt64(number))
            let kind = RoundKind.allCases.randomElement(using: &choice) ?? .start
            do {
                let tally: Tally
                switch kind {
                case .structure:
                    let present =
                        try structures
                        ?? StructureLab(
                            executable: CommandLine.executablePath,
                            folder: "\(folder)/bridge-\(number)",
                            place: place(2),
                            random: SeededGenerator(seed: random.next())
                        )
                    structures = present
                    tally = try present.round()
                case .start where Bool.random(using: &choice):
                    tally = try FirstStart.round(
                        hap: hap,
                        folder: "\(folder)/first-\(number)",
                        place: place(3),
                        random: &random,
                        pace: &pace
                    )
                default:
                    let present =
                        try lab
                        ?? Lab(
                            hap: hap,
                            folder: "\(folder)/garage-\(number)",
                            place: place(1),
                            random: SeededGenerator(seed: random.next()),
                            pace: pace
                        )
                    lab = present
                    tally = try present.round(kind)
                }
                report.note(kind, tally)
            } catch {
                report.note(kind, "round \(number), \(kind), in \(folder): \(error)")
                // What failed is kept as it is.
                (lab, structures) = (nil, nil)
            }
        }
    }

    private func place(_ number: Int) -> String {
        Self.place(job * 4 + number)
    }

    /// An address that nobody else listens on, and that no connection of this machine comes from.
    static func place(_ number: Int) -> String {
        let process = UInt32(bitPattern: getpid())
        return "127.\(64 + (process >> 8 & 0x3F)).\(process & 0xFF).\(number)"
    }
}

extension CommandLine {
    /// This program.
    static var executablePath: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "CrashTest"
    }
}
