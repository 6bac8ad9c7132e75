import Foundation
import HAPCore
import HAPServer
import HTTPTypes
import HostTestSupport
import Hosting
import TestSupport
import Testing

@testable import WebConsole

/// A folder of definitions, as `hap serve --accessories DIR` serves it, and the definitions in the API.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ServedFolderTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    static let lamp = "accessory: Lamp\nservices:\n  - type: Lightbulb\n"

    /// Serves the folder, and the files that are named in addition.
    func serving(_ named: String..., port: UInt16 = 0, trace: TraceWriter? = nil) async throws -> ServedFolder {
        try await ServedFolder(folder("files"), named: named, port: port, trace: trace)
    }

    /// Takes the last port, so that no other port is free after it.
    func serverOnTheLastPort() async throws -> AccessoryHost {
        var settings = HostSettings.testing
        settings.port = .max
        return try await AccessoryHost.garages(1, settings)
    }

    @Test func fileThatCannotBeReadIsNotReplaced() async throws {
        let served = try await serving()
        let content = Data(repeating: 0x23, count: 5 << 20)
        try content.write(to: URL(filePath: folder("files/huge.yaml")))
        let revision = try await served.request(.get, "/definitions/huge.yaml").json?["revision"]?.string
        let refused = try await served.save(Self.lamp, to: "huge.yaml", revision: revision, keepCopy: true)
        #expect(refused.status == 409, "\(refused)")
        #expect(try Data(contentsOf: URL(filePath: folder("files/huge.yaml"))) == content)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("files")) == ["huge.yaml"])
        await served.host.stop()
    }

    @Test func invalidDefinitionChangesNothing() async throws {
        let served = try await serving()
        let saved = try await served.save(Self.lamp, to: "lamp.yaml")
        let revision = saved.json?["revision"]?.string
        for text in ["accessory: Lamp\nservices:\n  - type: Lightbulp\n", "accessory: [", ""] {
            let refused = try await served.save(text, to: "lamp.yaml", revision: revision, keepCopy: true)
            #expect(refused.status == 422, "\(refused)")
            #expect(refused.json?["diagnostics"]?.array?.isEmpty == false)
        }
        let second = try await served.save(Self.lamp, to: "second.yaml")
        #expect(second.status == 422, "its id is that of lamp.yaml: \(second)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("files")) == ["lamp.yaml"])
        #expect(try String(contentsOfFile: folder("files/lamp.yaml"), encoding: .utf8) == Self.lamp)
        #expect(try await served.list("/servers", "key") == ["Lamp"])
        await served.host.stop()
    }

    @Test func secondOfTwoSavesIsRefusedAndNothingIsLost() async throws {
        let served = try await serving()
        let revision = try await served.save(Self.lamp, to: "lamp.yaml").json?["revision"]?.string
        let texts = ["Hue", "Brightness"].map { Self.lamp + "    characteristics: { \($0): 3 }\n" }
        async let first = served.save(texts[0], to: "lamp.yaml", revision: revision)
        async let second = served.save(texts[1], to: "lamp.yaml", revision: revision)
        let answers = try await [first, second]
        #expect(answers.map(\.status).sorted() == [200, 409], "\(answers)")
        let winner = try #require(answers.firstIndex { $0.status == 200 })
        let loser = answers[1 - winner].json
        #expect(loser?["code"]?.string == "changed")
        #expect(loser?["revision"]?.string == answers[winner].json?["revision"]?.string)
        #expect(try String(contentsOfFile: folder("files/lamp.yaml"), encoding: .utf8) == texts[winner])
        // A new file does not replace one that exists.
        #expect(try await served.save(Self.lamp, to: "lamp.yaml").status == 409)
        let kept = try await served.save(
            Self.lamp,
            to: "lamp.yaml",
            revision: loser?["revision"]?.string,
            keepCopy: true
        )
        #expect(kept.status == 200)
        #expect(try String(contentsOfFile: folder("files/lamp.yaml.1.bak"), encoding: .utf8) == texts[winner])
        await served.host.stop()
    }

    @Test func changesOnDiskAreServedAndNotOverwritten() async throws {
        try FileManager.default.createDirectory(atPath: folder("files"), withIntermediateDirectories: true)
        _ = try folder.write(Self.lamp, to: "files/lamp.yaml")
        _ = try folder.write("accessory: Bad\nservices: [Nope]\n", to: "files/bad.yaml")
        let served = try await serving()
        #expect(served.host.servers.map(\.name) == ["Lamp"])
        #expect(served.lines.contains { $0.contains("bad.yaml:2:12: services[0]: ") })
        #expect(
            served.lines.last?.hasSuffix("bad.yaml is not served; when it is corrected, it is served at once.") == true
        )
        let revision = try await served.request(.get, "/definitions/lamp.yaml").json?["revision"]?.string
        _ = try folder.write(Self.lamp + "    name: Bulb\n", to: "files/lamp.yaml")
        let refused = try await served.save(Self.lamp, to: "lamp.yaml", revision: revision)
        #expect(refused.status == 409 && refused.json?["code"]?.string == "changed", "\(refused)")
        _ = try folder.write("accessory: Bad\nservices: [{ type: Switch }]\n", to: "files/bad.yaml")
        _ = try folder.write("accessory: Fan\nservices: [{ type: Fan }]\n", to: "files/fan.yaml")
        try FileManager.default.removeItem(atPath: folder("files/lamp.yaml"))
        await served.check()
        #expect(try await Set(served.list("/servers", "key")) == ["Bad", "Fan"])
        #expect(try await served.list("/definitions", "file") == ["bad.yaml", "fan.yaml"])
        let kinds = try await served.list("/events/latest?kinds=server-added,server-removed", "kind")
        #expect(kinds.filter { $0 == "server-removed" }.count == 1 && kinds.count == 3, "\(kinds)")
        let changed = try await served.list("/events/latest?kinds=definition-changed", "name")
        #expect(Set(changed) == ["lamp.yaml", "bad.yaml", "fan.yaml"])
        await served.host.stop()
    }

    @Test func deletedDefinitionIsSetAsideAndItsStateStays() async throws {
        let served = try await serving()
        let saved = try await served.save(Self.lamp, to: "lamp.yaml")
        let before = try await served.list("/servers", "deviceID")
        #expect(try await served.request(.delete, "/definitions/lamp.yaml?revision=0").status == 409)
        let revision = saved.json?["revision"]?.string ?? ""
        #expect(try await served.request(.delete, "/definitions/lamp.yaml?revision=\(revision)").status == 204)
        #expect(try await served.request(.delete, "/definitions/lamp.yaml").status == 404)
        #expect(try await served.list("/servers", "key").isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("files")) == ["lamp.yaml.1.bak"])
        #expect(try await served.save(Self.lamp, to: "other.yaml").status == 200)
        #expect(try await served.list("/servers", "deviceID") == before)
        await served.host.stop()
    }

    @Test func newNameAndCategoryAreAnnouncedWithTheSameIdentity() async throws {
        let served = try await serving()
        let saved = try await served.save(Self.lamp, to: "lamp.yaml")
        let before = try await served.list("/servers", "deviceID")
        let text = Self.lamp.replacing("accessory: Lamp\n", with: "accessory: Desk\nid: Lamp\ncategory: Other\n")
        let renamed = try await served.save(text, to: "lamp.yaml", revision: saved.json?["revision"]?.string)
        #expect(renamed.status == 200, "\(renamed)")
        #expect(try await served.list("/servers", "name") == ["Desk"])
        #expect(try await served.list("/servers", "deviceID") == before)
        let named = try await served.request(.get, "/servers/Lamp").json
        #expect(named?["category"]?.number?.double == 1)
        await served.host.stop()
    }

    @Test func newIdIsAnotherAccessoryAndTheCheckWarns() async throws {
        let served = try await serving()
        let saved = try await served.save(Self.lamp, to: "lamp.yaml")
        let before = try await served.list("/servers", "deviceID")
        let text = Self.lamp.replacing("accessory: Lamp", with: "accessory: Desk")
        let body = ServedFolder.json([("text", .string(text)), ("file", "lamp.yaml")])
        let warning = try await served.request(.post, "/definitions/check", body).json?["diagnostics"]?.array?.first?
            .object
        #expect(warning?["severity"]?.string == "warning" && warning?["path"]?.string == "id")
        #expect(warning?["message"]?.string?.contains("write the id \"Lamp\"") == true)
        #expect(try await served.save(text, to: "lamp.yaml", revision: saved.json?["revision"]?.string).status == 200)
        #expect(try await served.list("/servers", "key") == ["Desk"])
        #expect(try await served.list("/servers", "deviceID") != before)
        await served.host.stop()
    }

    @Test func exportsAndDumpsInTheFolderAreServed() async throws {
        let served = try await serving()
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Accessories/garage.hasaccessory")
        try FileManager.default.copyItem(atPath: source.path, toPath: folder("files/garage.hasaccessory"))
        let file = try await served.request(.get, "/definitions/garage.hasaccessory")
        #expect(file.status == 200 && file.json?["server"]?.string != nil, "\(file)")
        #expect(file.json?["definition"]?.object?["services"]?.array?.isEmpty == false)
        let revision = file.json?["revision"]?.string
        #expect(try await served.save(Self.lamp, to: "garage.hasaccessory", revision: revision).status == 409)
        #expect(
            try await served.save(file.json?["text"]?.string ?? "", to: "copy.yaml").status == 422,
            "it has the same id"
        )
        #expect(try await served.request(.delete, "/definitions/garage.hasaccessory").status == 204)
        #expect(try await served.save(file.json?["text"]?.string ?? "", to: "copy.yaml").status == 200)
        await served.host.stop()
    }

    @Test func nothingOutsideOfTheFolderIsReadOrWritten() async throws {
        let served = try await serving()
        _ = try folder.write(Self.lamp, to: "secret.yaml")
        for name in ["..%2Fsecret.yaml", "%2Fetc%2Fpasswd.yaml", ".secret.yaml", "secret.txt", "a%00.yaml"] {
            #expect(try await served.request(.get, "/definitions/\(name)").status == 400, "\(name)")
            #expect(
                try await served.save("accessory: X\nservices: [{ type: Fan }]\n", to: name).status == 400,
                "\(name)"
            )
            #expect(try await served.request(.delete, "/definitions/\(name)").status == 400, "\(name)")
        }
        let bridge = "bridge: B\naccessories:\n  - include: ../secret.yaml\n"
        #expect(try await served.save(bridge, to: "bridge.yaml").status == 422)
        #expect(try String(contentsOfFile: folder("secret.yaml"), encoding: .utf8) == Self.lamp)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("files")).isEmpty)
        await served.host.stop()
    }

    @Test func fileThatIsNamedAndInTheFolderIsServedOnce() async throws {
        try FileManager.default.createDirectory(atPath: folder("files"), withIntermediateDirectories: true)
        let lamp = try folder.write(Self.lamp, to: "files/lamp.yaml")
        let served = try await serving(lamp)
        #expect(served.host.servers.map(\.name) == ["Lamp"])
        #expect(try await served.list("/definitions", "server") == ["Lamp"])
        await served.host.stop()
    }

    @Test(arguments: [false, true])
    func serversContinueWhileTheFolderIsMissing(isReplacedByAnEmptyOne: Bool) async throws {
        let served = try await serving()
        let revision = try await served.save(Self.lamp, to: "lamp.yaml").json?["revision"]?.string
        let index = try await served.request(.get, "/servers/Lamp").json?["number"]?.unsigned
        try FileManager.default.moveItem(atPath: folder("files"), toPath: folder("elsewhere"))
        if isReplacedByAnEmptyOne {
            try FileManager.default.createDirectory(atPath: folder("files"), withIntermediateDirectories: true)
        }
        await served.files.check()
        #expect(served.output.contains("files is missing; its accessories are served as they were read"))
        #expect(try await served.request(.get, "/definitions/lamp.yaml").json?["server"]?.string == "Lamp")
        for refused in [
            try await served.save(Self.lamp, to: "lamp.yaml", revision: revision),
            try await served.save(text("New"), to: "new.yaml"),
            try await served.request(.delete, "/definitions/lamp.yaml"),
        ] { #expect(refused.status == 409 && refused.json?["code"]?.string == "refused", "\(refused)") }
        if isReplacedByAnEmptyOne { try FileManager.default.removeItem(atPath: folder("files")) }
        try FileManager.default.moveItem(atPath: folder("elsewhere"), toPath: folder("files"))
        await served.files.check()
        #expect(served.output.contains("files is back."))
        #expect(try await served.request(.get, "/servers/Lamp").json?["number"]?.unsigned == index)
        #expect(try await served.list("/events/latest?kinds=definition-folder", "kind").count == 2)
        try FileManager.default.removeItem(atPath: folder("files/lamp.yaml"))
        await served.check()
        #expect(try await served.list("/servers", "key").isEmpty)
        await served.host.stop()
    }

    @Test func serverThatCannotStartIsTriedAgain() async throws {
        let taken = try await serverOnTheLastPort()
        let served = try await serving(port: .max)
        _ = try folder.write(Self.lamp, to: "files/lamp.yaml")
        await served.check()
        #expect(served.output.contains("It is tried again."))
        #expect(try await served.list("/definitions", "server") == [nil])
        await taken.stop()
        // Waits: the next attempt is a second after the first one.
        try await eventually("the file is served") {
            await served.files.check()
            return try await served.list("/definitions", "server") == ["Lamp"]
        }
        #expect(served.output.components(separatedBy: "It is tried again.").count == 2)
        await served.host.stop()
    }

    @Test func takenPortIsSkippedForAnAddedFileAndIsAnErrorAtTheStart() async throws {
        let taken = try await AccessoryHost.garages(1)
        let port = try #require(taken.servers.first?.information.port)
        // The port of the start has no alternative.
        let one = try folder.write(text("One"), to: "one.yaml")
        let refused = try #require(
            await #expect(throws: HostError.self) { _ = try await serving(one, port: port) }
        )
        #expect(refused.message.contains("Another program listens on"))
        let served = try await serving(port: port)
        for id in ["One", "Two"] {
            let saved = try await served.save(text(id), to: "\(id).yaml")
            #expect(saved.status == 200, "\(saved)")
        }
        let servers = served.host.servers.map(\.information)
        #expect(servers.map(\.name) == ["One", "Two"])
        #expect(servers.allSatisfy { $0.port > port } && Set(servers.map(\.port)).count == 2)
        #expect(!served.output.contains("tried again"))
        await served.host.stop()
        await taken.stop()
    }

    @Test func numberOfAServerStaysWhenAnotherIsRemoved() async throws {
        let served = try await serving()
        for id in ["One", "Two", "Three"] { _ = try await served.save(text(id), to: "\(id).yaml") }
        let number = try #require(try await served.request(.get, "/servers/Two").json?["number"]?.unsigned)
        #expect(try await served.request(.delete, "/definitions/One.yaml").status == 204)
        #expect(try await served.request(.get, "/servers/\(number)").json?["key"]?.string == "Two")
        #expect(try await served.request(.delete, "/definitions/Two.yaml").status == 204)
        #expect(try await served.save(text("Four"), to: "Four.yaml").status == 200)
        #expect(try await served.request(.get, "/servers/\(number)").status == 404)
        await served.host.stop()
    }

    @Test func errorInAnIncludedFileNamesThatFile() async throws {
        let served = try await serving()
        try FileManager.default.createDirectory(atPath: folder("files/parts"), withIntermediateDirectories: true)
        _ = try folder.write("accessory: Part\nservices: [{ type: Lightbulp }]\n", to: "files/parts/lamp.yaml")
        let bridge = "bridge: B\naccessories:\n  - include: parts/lamp.yaml\n"
        let body = ServedFolder.json([("text", .string(bridge)), ("file", "bridge.yaml")])
        let checked = try await served.request(.post, "/definitions/check", body)
        let refused = try await served.save(bridge, to: "bridge.yaml")
        #expect(refused.status == 422)
        _ = try folder.write(bridge, to: "files/bridge.yaml")
        let read = try await served.request(.get, "/definitions/bridge.yaml")
        for answer in [checked, refused, read] {
            let files = answer.json?["diagnostics"]?.array?.map { $0.object?["file"]?.string }
            #expect(files == ["parts/lamp.yaml"], "\(answer)")
        }
        let own = try await served.save("bridge: B\naccessories: [7]\n", to: "own.yaml")
        let files = own.json?["diagnostics"]?.array?.map { $0.object?["file"]?.string }
        #expect(own.status == 422 && files?.allSatisfy { $0 == nil } == true, "\(own)")
        await served.host.stop()
    }

    @Test func addedCharacteristicIsRecordedInTheTrace() async throws {
        let trace = try TraceWriter(path: folder("trace")) { Issue.record("\($0.reason)") }
        let served = try await serving(trace: trace)
        let revision = try await served.save(Self.lamp, to: "lamp.yaml").json?["revision"]?.string
        let text = Self.lamp + "    characteristics: { Hue: 77 }\n"
        #expect(try await served.save(text, to: "lamp.yaml", revision: revision).status == 200)
        await served.host.stop()
        trace.flush()
        let records = try String(contentsOfFile: folder("trace"), encoding: .utf8).split(separator: "\n")
            .compactMap { TraceRecord(line: $0) }.filter { $0.kind == .accessories }
        #expect(records.count == 2)
        #expect(records.last?.line.contains("\"value\":77") == true)
    }

    @Test func changesOfFaultsAndOfTimeAreEvents() async throws {
        let served = try await serving()
        #expect(try await served.save(Self.lamp, to: "lamp.yaml").status == 200)
        #expect(
            try await served.request(.post, "/faults", "{\"name\":\"latency\",\"parameters\":{\"delay\":\"1s\"}}")
                .status
                == 200
        )
        #expect(try await served.request(.delete, "/faults").status == 200)
        #expect(try await served.request(.put, "/time", "{\"scale\":2,\"paused\":true}").status == 200)
        #expect(try await served.request(.post, "/time/advance", "{\"seconds\":1}").status == 200)
        let kinds = try await served.list("/events/latest?kinds=faults-changed,time-changed", "kind")
        #expect(kinds == ["faults-changed", "faults-changed", "time-changed", "time-changed", "time-changed"])
        await served.host.stop()
    }
}
