import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import hap

/// The examples in the help of `hap home` work on the house of `Config/home.yaml`, or while a home is created.
@Suite(.serialized, .timeLimit(.minutes(20))) struct HomeExampleTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The examples that need an accessory, a shell or a served home, or that run until Ctrl-C.
    private static let skippedExamples = ["add-accessory", "hap home run", " > ", "--served"]
    /// The commands that fail because no accessory answers, which is not an error of the example.
    private static let commandsThatReadAccessories = ["set", "scene", "say", "get", "watch"]

    private static var commands: [any ParsableCommand.Type] {
        func all(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
            [command] + command.configuration.subcommands.flatMap(all)
        }
        return all(HomeCommand.self)
    }

    /// Returns the example commands of a help text; a command can continue on the next line.
    private static func examples(of command: any ParsableCommand.Type) -> [String] {
        var lines: [String] = []
        var open = ""
        for line in command.configuration.discussion.split(separator: "\n") {
            let text = (open + line.trimmingCharacters(in: .whitespaces)).replacing(#/ {3,}.*/#, with: "")
            if text.hasSuffix("\\") || !text.count(where: { $0 == "\"" }).isMultiple(of: 2) {
                open = (text.hasSuffix("\\") ? String(text.dropLast()) : text) + " "
                continue
            }
            open = ""
            if text.hasPrefix("hap home") {
                lines.append(text)
            } else if text.hasPrefix("--trigger \"") || text.hasPrefix("--if \"") || text.hasPrefix("--end \"") {
                let trigger = text.hasPrefix("--trigger") ? "" : "--at 07:00 "
                lines.append("hap home add automation Example --scene \"Movie Time\" \(trigger)\(text)")
            }
        }
        return lines.filter { line in !skippedExamples.contains(where: line.contains) }
    }

    /// Splits a line into words as a shell does, but with double quotes only.
    private static func words(of line: String) -> [String] {
        var words: [String] = []
        for (index, part) in line.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
            if index.isMultiple(of: 2) {
                words += part.split(separator: " ").map(String.init)
            } else {
                words.append(String(part))
            }
        }
        return words.map { $0 == "Config/home.yaml" ? root.appending(path: $0).path : $0 }
    }

    @Test func everyHelpExampleWorks() async throws {
        let house = try await HomeCommandFixture(
            try String(contentsOf: Self.root.appending(path: "Config/home.yaml"), encoding: .utf8)
        )
        let new = try await HomeCommandFixture("home: Kilgo House\n")
        let none = try await HomeCommandFixture()
        var count = 0
        for line in Self.commands.flatMap(Self.examples) {
            // The file that an example writes does not belong in the folder of this process.
            let words = Self.words(of: line).dropFirst().map { $0 == "house.yaml" ? house.folder("\(count).yaml") : $0 }
            var outcomes: [HapCommand.Outcome] = []
            for (number, state) in [house, new, none].enumerated() {
                let copy = house.folder("copy-\(count)-\(number)")
                if FileManager.default.fileExists(atPath: state.state) {
                    try FileManager.default.copyItem(atPath: state.state, toPath: copy)
                }
                let outcome = try await HapCommand(words + ["--state", copy]).outcome()
                outcomes.append(outcome)
                if Self.isExpected(outcome, of: words) { break }
            }
            #expect(outcomes.last.map { Self.isExpected($0, of: words) } == true, "\(line): \(outcomes[0])")
            count += 1
        }
        #expect(count > 60)
    }

    private static func isExpected(_ outcome: HapCommand.Outcome, of words: [String]) -> Bool {
        words.count > 1 && commandsThatReadAccessories.contains(words[1]) ? outcome.status != 64 : outcome.status == 0
    }
}
