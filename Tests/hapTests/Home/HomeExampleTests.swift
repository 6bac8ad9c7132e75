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
            guard text.hasPrefix("hap home") else { continue }
            let isComplete = "\"'".allSatisfy { quote in text.count { $0 == quote }.isMultiple(of: 2) }
            open = isComplete ? "" : text + " "
            if isComplete { lines.append(text) }
        }
        return lines.filter { line in !skippedExamples.contains(where: line.contains) }
    }

    /// Splits a line into words as a shell does, without escapes.
    private static func words(of line: String) -> [String] {
        var words: [String] = []
        var quote: Character?
        var isInWord = false
        for character in line {
            switch character {
            case quote: quote = nil
            case "\"" where quote == nil, "'" where quote == nil:
                quote = character
                if !isInWord { words.append("") }
                isInWord = true
            case " " where quote == nil: isInWord = false
            default:
                if !isInWord { words.append("") }
                isInWord = true
                words[words.count - 1].append(character)
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
        let movie = try house.folder.write("[]\n", to: "movie.yaml")
        var count = 0
        for line in Self.commands.flatMap(Self.examples) {
            // The file that an example writes does not belong in the folder of this process.
            let files = ["house.yaml": house.folder("\(count).yaml"), "movie.yaml": movie]
            let words = Self.words(of: line).dropFirst().map { files[$0] ?? $0 }
            var outcomes: [HapCommand.Outcome] = []
            for (number, state) in [house, new, none].enumerated() {
                let copy = house.folder("copy-\(count)-\(number)")
                if FileManager.default.fileExists(atPath: state.state) {
                    try FileManager.default.copyItem(atPath: state.state, toPath: copy)
                }
                let outcome = try await HapCommand(words + ["--state", copy], environment: ["EDITOR": "true"]).outcome()
                outcomes.append(outcome)
                if Self.isExpected(outcome, of: words) { break }
            }
            #expect(outcomes.last.map { Self.isExpected($0, of: words) } == true, "\(line): \(outcomes[0])")
            count += 1
        }
        #expect(count > 50)
    }

    private static func isExpected(_ outcome: HapCommand.Outcome, of words: [String]) -> Bool {
        words.count > 1 && commandsThatReadAccessories.contains(words[1]) ? outcome.status != 64 : outcome.status == 0
    }
}
