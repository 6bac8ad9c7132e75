import ControllerFuzzTargets
import CoreFuzzTargets
import FilesFuzzTargets
import Foundation
import FuzzHarness
import ServerFuzzTargets
import Testing

/// Replays the seeds of all fuzz targets and a few thousand fixed mutations, in a build without libFuzzer.
struct ReplayTests {
    private static let targets = coreFuzzTargets + controllerFuzzTargets + filesFuzzTargets + serverFuzzTargets
    private static let fuzz = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Fuzz").standardizedFileURL

    /// The seconds after which a replay counts as an endless loop.
    private static let limit: UInt32 = 300

    private static func target(named name: String) throws -> any FuzzTarget.Type {
        try #require(targets.first { $0.name == name })
    }

    /// Each target has a process of its own.
    ///
    /// A claim that does not hold ends its process, as a trap does. So only the test of the target fails.
    @Test(arguments: targets.map { $0.name })
    func everyClaimHolds(of name: String) async throws {
        // Swift Testing returns what a process has written only if it succeeds.
        let log = FileManager.default.temporaryDirectory.appending(path: "replay-\(name)-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: log) }
        let result = await #expect(processExitsWith: .success) { @MainActor [name, log = log as String] in
            alarm(Self.limit)
            try #require(dup2(open(log, O_WRONLY | O_CREAT, 0o600), STDERR_FILENO) >= 0)
            let target = try Self.target(named: name)
            let inputs = ReplayInputs(target)
            for number in 0..<inputs.count {
                FileHandle.standardError.write(Data("input \(number)\n".utf8))
                target.run(inputs[number].bytes)
            }
        }
        // A sanitizer may have written bytes that are not UTF-8.
        if result == nil { try report(String(decoding: Data(contentsOf: URL(filePath: log)), as: UTF8.self), of: name) }
    }

    /// Saves the input with which a target has failed, and records why.
    private func report(_ log: String, of name: String) throws {
        let lines = log.split(separator: "\n")
        let last = try #require(lines.last { $0.hasPrefix("input ") })
        let number = try #require(Int(last.dropFirst("input ".count)))
        let (origin, bytes) = ReplayInputs(try Self.target(named: name))[number]
        let file = Self.fuzz.appending(path: "Findings/\(name)-replay-\(number)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        let reasons = ["Fatal error", "Precondition failed", "Sanitizer: "]
        let reason = lines.first { line in reasons.contains { line.contains($0) } }
        Issue.record(
            """
            \(name), input \(number), \(origin): \(reason ?? "it did not end")
            Run it alone with Fuzz/run --reproduce Fuzz/Findings/\(file.lastPathComponent)
            """
        )
    }

    /// `HAP_WRITE_FIXTURES=1 swift test --filter FuzzTests` writes the seeds.
    @Test(arguments: targets.map { $0.name })
    func theSeedsInTheTreeAreThoseOfTheTarget(_ name: String) throws {
        let folder = Self.fuzz.appending(path: "Seeds/\(name)")
        let seeds = try Self.target(named: name).seeds.mapValues { Data($0) }
        if ProcessInfo.processInfo.environment["HAP_WRITE_FIXTURES"] != nil {
            try? FileManager.default.removeItem(at: folder)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (name, bytes) in seeds { try bytes.write(to: folder.appending(path: name)) }
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        var stored: [String: Data] = [:]
        for file in files { stored[file] = try Data(contentsOf: folder.appending(path: file)) }
        #expect(stored == seeds, "HAP_WRITE_FIXTURES=1 swift test --filter FuzzTests writes the seeds.")
    }
}
