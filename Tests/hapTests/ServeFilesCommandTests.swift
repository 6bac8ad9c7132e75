import Foundation
import HAPCore
import HostTestSupport
import Hosting
import TestSupport
import Testing
import WebConsole

@testable import hap

/// `hap serve FILE …`.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ServeFilesCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let lamp = """
        accessory: Lamp
        setupCode: 101-48-005
        setupID: 7OSX
        deviceID: 1A:2B:3C:4D:5E:6F
        configuration: 7
        services:
          - type: Lightbulb

        """

    @Test func eachFileIsASeparateServer() async throws {
        let lamp = try folder.write(Self.lamp, to: "lamp.yaml")
        let fan = try folder.write(
            "{\"accessory\":\"Attic\",\"id\":\"fan-1\",\"services\":[{\"type\":\"Fan\"}]}",
            to: "fan.json"
        )
        let bridge = try folder.write(
            "bridge: Floor\naccessories:\n  - include: lamp.yaml\n  - include: lamp.yaml\n    name: Second\n",
            to: "bridge.yaml"
        )
        let (process, ready) = try await HapCommand.serving([lamp, fan, bridge], in: folder)
        #expect(ready.map(\.name) == ["Lamp", "Attic", "Floor"])
        #expect(ready.map(\.key) == ["Lamp", "fan-1", "Floor"])
        #expect(ready.map(\.category) == [5, 3, 2])
        #expect(Set(ready.map(\.port)).count == 3)
        #expect(Set(ready.map(\.deviceID)).count == 3)
        #expect(Set(ready.map(\.setupCode)).count == 3)
        #expect(ready[0].setupCode == "101-48-005")
        #expect(ready[0].setupURI.hasSuffix("7OSX"))
        #expect(ready[0].deviceID == "1A:2B:3C:4D:5E:6F")
        let outcome = try await process.terminate()
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        // The order of the files and additional servers do not matter.
        let (again, stored) = try await HapCommand.serving([fan, lamp], in: folder)
        #expect(stored == [ready[1], ready[0]])
        #expect(try await again.terminate().status == 0)
    }

    @Test func fileIdentityCountsAtTheFirstStartAndTheCommandLineCodeAlways() async throws {
        let lamp = try folder.write(Self.lamp, to: "lamp.yaml")
        let (first, before) = try await HapCommand.serving([lamp], in: folder)
        #expect(try await first.terminate().status == 0)
        _ = try folder.write(
            Self.lamp.replacing("1A:2B", with: "AA:AA").replacing("7OSX", with: "AAAA").replacing("005", with: "006"),
            to: "lamp.yaml"
        )
        let (second, after) = try await HapCommand.serving([lamp], in: folder)
        #expect(try await second.terminate().status == 0)
        #expect(after[0].deviceID == before[0].deviceID)
        #expect(after[0].setupURI.hasSuffix("7OSX"))
        #expect(after[0].setupCode == "101-48-006")
        let (third, reported) = try await HapCommand.serving([lamp, "--setup-code", "202-48-005"], in: folder)
        #expect(try await third.terminate().status == 0)
        #expect(reported[0].setupCode == "202-48-005")
    }

    @Test func allErrorsOfAllFilesAreReportedAndNothingStarts() async throws {
        let good = try folder.write(Self.lamp, to: "lamp.yaml")
        let copy = try folder.write(Self.lamp, to: "copy.yaml")
        let bad = try folder.write("accessory: A\nservices:\n  - type: Lightbulp\n    nmae: x\n", to: "bad.yaml")
        let outcome = try await HapCommand.serve(in: folder, good, bad, folder("missing.yaml"), copy, good)
        #expect(outcome.status == 65)
        #expect(outcome.output == "")
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[0].hasPrefix("\(bad):3:11: services[0].type: "))
        #expect(lines[1].hasPrefix("\(bad):4:5: services[0].nmae: "))
        #expect(lines[2].contains("\(folder("missing.yaml")): there is no such file"))
        #expect(lines[3].contains("\(copy): its id \"Lamp\" is also the id of \(good); "))
        #expect(!FileManager.default.fileExists(atPath: folder("state")))
    }

    @Test(arguments: ["missing.yaml", "bad.yaml"])
    func unreadableHomeLeavesTheStateUnchanged(home: String) async throws {
        let lamp = try folder.write(Self.lamp, to: "lamp.yaml")
        _ = try folder.write("home: H\nroms: [A]\n", to: "bad.yaml")
        let outcome = try await HapCommand.serve(in: folder, lamp, "--home", folder(home))
        #expect(outcome.status == 65)
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix(folder(home)))
        #expect(!FileManager.default.fileExists(atPath: folder("state")))
    }

    @Test func twoServersWithOneDeviceIDAreRefused() async throws {
        let files = try ["A", "B"]
            .map { name in
                try folder.write(
                    "accessory: \(name)\ndeviceID: 00:11:22:33:44:55\nservices: [{ type: Switch }]\n",
                    to: "\(name).yaml"
                )
            }
        let outcome = try await HapCommand.serve(in: folder, files[0], files[1])
        #expect(outcome.status == 65)
        #expect(
            outcome.errors.hasPrefix("\(files[1]): deviceID: 00:11:22:33:44:55 is also the device ID of \(files[0]); ")
        )
    }

    @Test func fileWithoutAccessoryIsReported() async throws {
        for text in ["", "{", "[1]", "bplist00", "a: &a [*a]", String(repeating: "[", count: 100_000)] {
            let path = try folder.write(text, to: "file")
            let outcome = try await HapCommand.serve(in: folder, path)
            #expect(outcome.status == 65, "\(outcome)")
            #expect(outcome.errors.hasPrefix(path), "\(outcome)")
        }
    }

    @Test func commandLineFilesOverrideThoseOfTheConfiguration() async throws {
        let lamp = try folder.write(Self.lamp, to: "lamp.yaml")
        let fan = try folder.write("accessory: Attic\nservices:\n  - type: Fan\n", to: "fan.yaml")
        let file = try folder.write("files: [\(lamp)]\nsimulate: none\n", to: "hap.yaml")
        for (arguments, name) in [([], "Lamp"), ([fan], "Attic"), (["--copies", "1"], "Kilgo Garage")] {
            let (process, ready) = try await HapCommand.serving(arguments + ["--config", file], in: folder)
            #expect(ready.map(\.name) == [name])
            #expect(try await process.terminate().status == 0)
        }
    }

    @Test func editIsServedWithoutARestart() async throws {
        let lamp = try folder.write(Self.lamp, to: "lamp.yaml")
        let served = try await ServedFileFixture(lamp)
        _ = try folder.write(Self.lamp + "    characteristics: { Hue: 3 }\n", to: "lamp.yaml")
        #expect(await served.check().contains("Lamp: \(lamp) reloaded, c# 8\n"))
        #expect(!served.output.contains("configuration number"), "it is told once")
        _ = try folder.write(Self.lamp + "    nmae: x\n", to: "lamp.yaml")
        #expect(await served.check().contains("Lamp: \(lamp) is not reloaded;"))
        #expect(served.output.contains("Lamp: \(lamp):8:5: services[0].nmae: "))
        _ = try folder.write(Self.lamp + "    characteristics: { Hue: 4 }\n", to: "lamp.yaml")
        #expect(await served.check().components(separatedBy: "reloaded, c# 8\n").count == 3)
        #expect(served.output.contains("Light Bulb: Hue: 4°\n"))
        await served.host.stop()
    }

    @Test func editOfAnIncludedFileIsServed() async throws {
        _ = try folder.write(Self.lamp, to: "lamp.yaml")
        let bridge = try folder.write("bridge: Floor\naccessories:\n  - include: lamp.yaml\n", to: "bridge.yaml")
        let served = try await ServedFileFixture(bridge)
        // As editors save: a new file in the place of the old one.
        let new = try folder.write(Self.lamp + "  - type: Fan\n", to: "lamp.yaml.new")
        #expect(rename(new, folder("lamp.yaml")) == 0)
        #expect(await served.check().contains("Floor: \(bridge) reloaded, c# 2\n"))
        await served.host.stop()
    }

    @Test func savedDefinitionIsServedAndHasTheSameIdentityAfterARestart() async throws {
        let arguments = ["--accessories", folder("files"), "--console", "off"]
        let (process, ready) = try await HapCommand.serving(arguments, in: folder)
        #expect(ready.isEmpty)
        try await HapCommand.wait { process.output.contains("No accessories yet") }
        let body = #"{"text":"accessory: Lamp\nservices:\n  - type: Lightbulb\n","revision":null,"keepCopy":false}"#
        let saved = try await ConsoleClient(socket: folder("state/serve.sock"))
            .send("PUT", "/api/v1/definitions/lamp.yaml", body: Array(body.utf8))
        #expect(saved.status == 200, "\(saved)")
        #expect(saved.json.object?["server"]?.string == "Lamp")
        let served = try ReadyServer.servers(in: Array(try Data(contentsOf: URL(filePath: folder("ready")))))
        let lamp = try #require(served.first)
        let paired = try await HapCommand.run(
            "pair",
            "127.0.0.1:\(lamp.port)",
            lamp.setupCode,
            "--as",
            "lamp",
            "--state",
            folder("mine")
        )
        #expect(paired.status == 0, "\(paired)")
        #expect(try await process.terminate().status == 0)
        let (again, stored) = try await HapCommand.serving(arguments, in: folder)
        #expect(stored.map(\.deviceID) == [lamp.deviceID])
        #expect(stored.map(\.port) == [lamp.port])
        let get = try await HapCommand.run("get", "lamp", "Lightbulb/On", "--state", folder("mine"))
        #expect(get.status == 0, "\(get)")
        #expect(try await again.terminate().status == 0)
    }
}

/// A server of a file, and the lines that `hap serve` prints about it.
private struct ServedFileFixture {
    let host: AccessoryHost
    private let files: ServedFiles
    private let printer: LinePrinter
    private let printed: FileHandle
    private let folder: TemporaryFolder

    init(_ path: String) async throws {
        folder = try TemporaryFolder()
        printed = try FileHandle(forWritingTo: URL(filePath: folder.write("", to: "output")))
        printer = LinePrinter(descriptor: printed.fileDescriptor)
        host = AccessoryHost(testing: .testing, observers: [TerminalObserver(printer: printer, isAlone: true)])
        files = ServedFiles(host, nil, [:])
        try await host.start(HostedContent.load([NamedFile(path)], nil).served)
    }

    /// The printed lines so far.
    var output: String {
        printer.flush(within: .seconds(60))
        return folder.text(of: "output")
    }

    /// Checks the file until a change is served, and returns the printed lines.
    ///
    /// A change is read when two checks agree.
    func check() async -> String {
        for _ in 0..<2 { await files.check() }
        return output
    }
}
