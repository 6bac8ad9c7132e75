import Foundation
import HAPCore
import TestSupport
import Testing

/// The names that scripts, files and other programs depend on; a change of one of them is a change of its fixture.
///
/// `HAP_WRITE_FIXTURES=1 swift test --filter ExternalNamesTests` writes the fixtures. The keys of files are in the JSON
/// Schemas and tables of `Accessories`, `Config` and `docs`; the stored keys and tables are in `Tests/StorageTests`; the
/// metrics and log keys are in the guide "Observing a server".
@Suite(.serialized, .timeLimit(.minutes(5))) struct ExternalNamesTests {
    private static let code = "101-48-005"

    @Test func commandsAndTheirOptionsAreThoseOfTheFixture() async throws {
        let help = try await HapCommand.run("--experimental-dump-help")
        let root = try JSONValue(parsing: Array(help.output.utf8)).object?["command"]?.object
        try compare(lines(of: try #require(root), after: ""), with: "commands.txt")
    }

    @Test func keysOfJSONOutputAndFilesOnDiskAreThoseOfTheFixtures() async throws {
        let folder = try TemporaryFolder()
        let (server, ready) = try await HapCommand.serving(in: folder, "--setup-code", Self.code)
        let address = "127.0.0.1:\(ready.port)"
        let state = folder("controller")
        let brokenFile = try folder.write("accessory: Lamp\nservices: [Lightbulp]\n", to: "lamp.yaml")
        let readyFile = try JSONValue(parsing: Array(try Data(contentsOf: URL(filePath: folder("ready")))))
        var lines = ["--ready-file: \(Self.keys(of: readyFile, at: "").sorted().joined(separator: " "))"]
        for command in Self.commands {
            let arguments = command.map { $0 == "ADDRESS" ? address : $0 == "FILE" ? brokenFile : $0 }
            let place = ["types", "validate"].contains(arguments[0]) ? [] : ["--state", state]
            let process = try HapCommand(arguments + place + ["--json"])
            while command[0] == "watch", process.isRunning {
                for value in ["on", "off"] {
                    _ = try await HapCommand.run("put", "garage", "Lightbulb/On=\(value)", "--state", state)
                }
            }
            let outcome = try await process.outcome()
            let texts = outcome.output.split(separator: "\n")
            let values =
                try texts.count == 1 || texts.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") }
                ? texts.map { try JSONValue(parsing: Array($0.utf8)) }
                : [JSONValue(parsing: Array(outcome.output.utf8))]
            #expect(!values.isEmpty, "\(arguments): \(outcome)")
            let keys = values.reduce(into: Set<String>()) { $0.formUnion(Self.keys(of: $1, at: "")) }
            lines.append("\(command.joined(separator: " ")): \(keys.sorted().joined(separator: " "))")
        }
        try compare(lines, with: "json.txt")
        let files = try [folder("state"), state].map { try FileManager.default.contentsOfDirectory(atPath: $0) }
        try compare(Set(files.joined()).sorted(), with: "files.txt")
        #expect(try await server.terminate().status == 0)
    }

    /// The commands in an order in which each finds what it needs.
    private static let commands: [[String]] = [
        ["types", "Lightbulb"], ["validate", "FILE"], ["pair", "ADDRESS", "--code", code, "--as", "garage"],
        ["pairings"],
        ["pairings", "garage"], ["accessories", "garage"], ["get", "garage", "Brightness", "Current Door State"],
        ["put", "garage", "Brightness=40"], ["watch", "garage", "--count", "2"], ["wait", "garage", "Brightness=40"],
        ["identify", "garage"],
        ["doctor", "garage"], ["unpair", "garage"], ["home", "add", "home", "House"], ["home", "add", "room", "Hall"],
        ["home", "add", "zone", "Downstairs", "Hall"], ["home", "add-accessory", code, "ADDRESS", "--room", "Hall"],
        ["home", "add", "group", "Lights", "Garage Light"],
        ["home", "add", "scene", "Dark", "[{ set: Garage Light/On, to: off }]"],
        ["home", "add", "user", "Ada"],
        ["home", "add", "automation", "Night", "{ when: { time: 22:30 }, run: [Dark] }"],
        ["home", "change", "home", "House", "{ place: { latitude: 50, longitude: 8 } }"], ["home", "show"],
        ["home", "scene", "run", "Dark"], ["home", "scene", "state", "Dark"], ["home", "set", "Garage Light", "on"],
        ["home", "automation", "disable", "Night"], ["home", "user", "arrive", "Ada"], ["home", "journal"],
        ["home", "rename", "room", "Hall", "Porch"], ["home", "move", "room", "Porch", "Downstairs", "--out"],
        ["home", "remove", "scene", "Dark"], ["home", "remove", "room", "Porch"],
    ]

    /// Returns the paths of the keys in a value, such as `a.b[].c`.
    private static func keys(of value: JSONValue, at path: String) -> Set<String> {
        var keys: Set<String> = []
        for member in value.object?.members ?? [] {
            let key = path.isEmpty ? member.key : "\(path).\(member.key)"
            let below = Self.keys(of: member.value, at: key)
            keys.formUnion(below.isEmpty ? [key] : below)
        }
        for element in value.array ?? [] {
            keys.formUnion(Self.keys(of: element, at: "\(path)[]"))
        }
        return keys
    }

    /// Returns one line for a command with its arguments and options, and the lines of its subcommands.
    private func lines(of command: JSONObject, after parent: String) -> [String] {
        let name = [parent, command["commandName"]?.string ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        let arguments = (command["arguments"]?.array ?? []).compactMap(\.object)
            .map { argument in
                let names = (argument["names"]?.array ?? []).compactMap(\.object)
                    .map { ($0["kind"]?.string == "long" ? "--" : "-") + ($0["name"]?.string ?? "") }
                return names.isEmpty ? "<\(argument["valueName"]?.string ?? "")>" : names.joined(separator: ",")
            }
        let subcommands = (command["subcommands"]?.array ?? []).compactMap(\.object)
        return ["\(name): \(arguments.joined(separator: " "))"]
            + subcommands.filter { $0["commandName"]?.string != "help" }.flatMap { lines(of: $0, after: name) }
    }

    private func compare(_ lines: [String], with name: String) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "ExternalNames/\(name)")
        let text = lines.joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["HAP_WRITE_FIXTURES"] != nil {
            try Data(text.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text, "write it again with HAP_WRITE_FIXTURES=1")
    }
}
