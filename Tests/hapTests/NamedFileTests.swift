import ArgumentParser
import Hosting
import TestSupport
import Testing

@testable import hap

/// Nothing is quoted from a file that another file names, unless it is of the expected kind.
@Suite struct NamedFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Contents of private files, in the formats that the readers distinguish.
    static let secrets = [
        "root:SECRET:0\n", "-----BEGIN PRIVATE KEY-----\nSECRET\n", "SECRET: 1\nSECRET: 2\n", "a: *SECRET\n",
        "- SECRET\n", "SECRET", "a: !SECRET b\n", "services: SECRET\n", "port: SECRET\n", "steps: SECRET\n",
        "{\"SECRET\" SECRET}", "{\"token\": \"SECRET\"}", "[\"SECRET\"]", "[{\"aid\": \"SECRET\", \"SECRET\": 1}]",
        "{\"accessories\": [{\"aid\": \"SECRET\"}]}", "<SECRET>SECRET</SECRET>", "<plist><SECRET/></plist>",
        "<plist version=\"1.0\"><dict><key>SECRET</key><string>SECRET</string></dict></plist>", "bplist00SECRET",
        "{\"data\": {\"pairings\": {\"SECRET\": {\"accessories\": \"SECRET\"}}}}", "\u{0}SECRET",
    ]

    /// The ways by which a file names another: the naming file, and how it is read.
    enum Reference: String, CaseIterable {
        case definition = "home: House\naccessories:\n  - { accessory: Lamp, definition: secret }\n"
        case scenarioFile = "scenario: S\nserve: [secret]\nsteps: [{ log: Hello }]\n"
        case scenarioHome = "scenario: S\nhome: secret\nsteps: [{ log: Hello, at: 1s }]\n"
        case configuredFile = "files: [FOLDER/secret]\n"
        case configuredHome = "home: FOLDER/secret\n"
        case configuredScenario = "scenario: FOLDER/secret\n"
        case configuredFolder = "accessories: FOLDER\n"
    }

    /// Reads everything that a file names as `hap serve` does, and returns the messages.
    private func messages(_ reference: Reference) throws -> String {
        let text = reference.rawValue.replacing("FOLDER", with: folder("").dropLast())
        let path = try folder.write(text, to: "naming.txt")
        let option =
            switch reference {
            case .definition: "--home"
            case .scenarioFile, .scenarioHome: "--scenario"
            case .configuredFile, .configuredHome, .configuredScenario, .configuredFolder: "--config"
            }
        do {
            guard let options = try? ServeOptions.parse([option, path]) else { return "no options" }
            var settings = try ServeSettings(options, environment: ["HOME": "/home/someone"])
            let scenario = try settings.scenarioFiles.first.map { try ScenarioSource($0) }
            if let scenario { settings.adoptSettings(of: scenario) }
            let home = settings.homeFile.map { HomeSource($0) }
            let named = try HostedContent.load(of: settings, home: home).served
            if let file = settings.accessoriesFolder {
                return FolderContents(of: try AccessoryFolder(file), besides: named, nil, seed: 0).lines.joined()
            }
            return "no error"
        } catch {
            return CommandFailure(error).message
        }
    }

    @Test(arguments: Reference.allCases, secrets)
    func privateFileIsNotQuoted(reference: Reference, secret: String) throws {
        let name = reference == .configuredFolder ? "secret.json" : "secret"
        _ = try folder.write(secret, to: name)
        let found = try messages(reference)
        #expect(!found.contains("SECRET"))
        #expect(found.contains("\(name): this is "), "\(found)")
    }

    @Test(
        arguments: zip(
            Reference.allCases,
            [
                "accessory: L\nTwice: 1\n", "bridge: B\nTwice: 1\n", "home: H\nTwice: 1\n",
                "accessory: L\nservices: [Twice\n",
                "homes:\n  - Twice: 1\n", "scenario: S\nsteps: []\nTwice: 1\n", "{\"accessory\": \"L\", \"Twice\": 1}",
            ]
        )
    )
    func errorsOfAnExpectedFileHaveTheirLine(reference: Reference, text: String) throws {
        _ = try folder.write(text, to: reference == .configuredFolder ? "secret.json" : "secret")
        let found = try messages(reference)
        #expect(found.contains(#/secret(\.json)?:\d+:/#), "\(found)")
    }

    /// The user may see what is in a file that the user names.
    @Test func fileOnTheCommandLineIsQuoted() throws {
        let path = try folder.write("lamp: Quoted\n", to: "lamp.yaml")
        let error = #expect(throws: CommandFailure.self) { try HostedContent.load([NamedFile(path)], nil) }
        #expect(error?.message.contains("lamp") == true)
    }
}
