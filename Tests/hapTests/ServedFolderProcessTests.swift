import Foundation
import HAPCore
import Hosting
import TestSupport
import Testing
import WebConsole

@testable import hap

/// `hap serve --accessories DIR`, and the definitions in the API.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ServedFolderProcessTests {
    let folder: TemporaryFolder
    let client: ConsoleClient

    init() throws {
        folder = try TemporaryFolder()
        client = ConsoleClient(socket: folder("state/serve.sock"))
    }

    static let lamp = "accessory: Lamp\nservices:\n  - type: Lightbulb\n"

    func serving(_ arguments: String...) async throws -> (process: HapProcess, ready: [ReadyServer]) {
        try await HapProcess.serving(["--accessories", folder("files"), "--console", "off"] + arguments, in: folder)
    }

    func request(
        _ method: String,
        _ path: String,
        _ body: String? = nil
    ) async throws -> (status: Int, json: JSONObject?) {
        let response = try await client.send(method, "/api/v1\(path)", body: body.map { Array($0.utf8) })
        return (response.status, response.json.object)
    }

    /// Saves a text, and returns the status and the answer.
    func save(
        _ text: String,
        to name: String,
        revision: String? = nil,
        keepCopy: Bool = false
    ) async throws -> (status: Int, json: JSONObject?) {
        let body = JSONWriter.line { writer in
            writer.member("text", text)
            writer.member("revision", revision)
            writer.member("keepCopy", keepCopy)
        }
        return try await request("PUT", "/definitions/\(name)", body)
    }

    func list(_ path: String, _ key: String) async throws -> [String?] {
        let answer = try await client.send("GET", "/api/v1\(path)")
        return (answer.json.array ?? []).map { $0.object?[key]?.string }
    }

    @Test func savedDefinitionIsServedAndHasTheSameIdentityAfterARestart() async throws {
        let (process, ready) = try await serving()
        #expect(ready.isEmpty)
        try await HapProcess.wait { process.output.contains("No accessories yet") }
        let saved = try await save(Self.lamp, to: "lamp.yaml")
        #expect(saved.status == 200, "\(saved)")
        #expect(saved.json?["server"]?.string == "Lamp")
        let served = try ReadyServer.servers(in: Array(try Data(contentsOf: URL(filePath: folder("ready")))))
        let lamp = try #require(served.first)
        let paired = try await HapProcess.run(
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
        let (again, stored) = try await serving()
        #expect(stored.map(\.deviceID) == [lamp.deviceID])
        #expect(stored.map(\.port) == [lamp.port])
        let get = try await HapProcess.run("get", "lamp", "Lightbulb/On", "--state", folder("mine"))
        #expect(get.status == 0, "\(get)")
        #expect(try await again.terminate().status == 0)
    }

    @Test func fileThatCannotBeReadIsNotReplaced() async throws {
        let (process, _) = try await serving()
        let content = Data(repeating: 0x23, count: 5 << 20)
        try content.write(to: URL(filePath: folder("files/huge.yaml")))
        let revision = try await request("GET", "/definitions/huge.yaml").json?["revision"]?.string
        let refused = try await save(Self.lamp, to: "huge.yaml", revision: revision, keepCopy: true)
        #expect(refused.status == 409, "\(refused)")
        #expect(try Data(contentsOf: URL(filePath: folder("files/huge.yaml"))) == content)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("files")) == ["huge.yaml"])
        #expect(try await process.terminate().status == 0)
    }

    @Test func invalidDefinitionChangesNothing() async throws {
        let (process, _) = try await serving()
        let saved = try await save(Self.lamp, to: "lamp.yaml")
        let revision = saved.json?["revision"]?.string
        for text in ["accessory: Lamp\nservices:\n  - type: Lightbulp\n", "accessory: [", ""] {
            let refused = try await save(text, to: "lamp.yaml", revision: revision, keepCopy: true)
            #expect(refused.status == 422, "\(refused)")
            #expect(refused.json?["diagnostics"]?.array?.isEmpty == false)
        }
        let second = try await save(Self.lamp, to: "second.yaml")
        #expect(second.status == 422, "its id is that of lamp.yaml: \(second)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("files")) == ["lamp.yaml"])
        #expect(try String(contentsOfFile: folder("files/lamp.yaml"), encoding: .utf8) == Self.lamp)
        #expect(try await list("/servers", "key") == ["Lamp"])
        #expect(try await process.terminate().status == 0)
    }

    @Test func secondOfTwoSavesIsRefusedAndNothingIsLost() async throws {
        let (process, _) = try await serving()
        let revision = try await save(Self.lamp, to: "lamp.yaml").json?["revision"]?.string
        let texts = ["Hue", "Brightness"].map { Self.lamp + "    characteristics: { \($0): 3 }\n" }
        async let first = save(texts[0], to: "lamp.yaml", revision: revision)
        async let second = save(texts[1], to: "lamp.yaml", revision: revision)
        let answers = try await [first, second]
        #expect(answers.map(\.status).sorted() == [200, 409], "\(answers)")
        let winner = try #require(answers.firstIndex { $0.status == 200 })
        let loser = answers[1 - winner].json
        #expect(loser?["code"]?.string == "changed")
        #expect(loser?["revision"]?.string == answers[winner].json?["revision"]?.string)
        #expect(try String(contentsOfFile: folder("files/lamp.yaml"), encoding: .utf8) == texts[winner])
        // A new file does not replace one that exists.
        #expect(try await save(Self.lamp, to: "lamp.yaml").status == 409)
        let kept = try await save(
            Self.lamp,
            to: "lamp.yaml",
            revision: loser?["revision"]?.string,
            keepCopy: true
        )
        #expect(kept.status == 200)
        #expect(try String(contentsOfFile: folder("files/lamp.yaml.1.bak"), encoding: .utf8) == texts[winner])
        #expect(try await process.terminate().status == 0)
    }

    @Test func changesOnDiskAreServedAndNotOverwritten() async throws {
        try FileManager.default.createDirectory(atPath: folder("files"), withIntermediateDirectories: true)
        _ = try folder.write(Self.lamp, to: "files/lamp.yaml")
        _ = try folder.write("accessory: Bad\nservices: [Nope]\n", to: "files/bad.yaml")
        let (process, ready) = try await serving()
        #expect(ready.map(\.name) == ["Lamp"])
        #expect(process.errors.contains("bad.yaml:2:12: services[0]: "))
        #expect(process.errors.contains("bad.yaml is not served; when it is corrected, it is served at once."))
        let revision = try await request("GET", "/definitions/lamp.yaml").json?["revision"]?.string
        _ = try folder.write(Self.lamp + "    name: Bulb\n", to: "files/lamp.yaml")
        let refused = try await save(Self.lamp, to: "lamp.yaml", revision: revision)
        #expect(refused.status == 409 && refused.json?["code"]?.string == "changed", "\(refused)")
        _ = try folder.write("accessory: Bad\nservices: [{ type: Switch }]\n", to: "files/bad.yaml")
        _ = try folder.write("accessory: Fan\nservices: [{ type: Fan }]\n", to: "files/fan.yaml")
        try FileManager.default.removeItem(atPath: folder("files/lamp.yaml"))
        try await HapProcess.wait { try await Set(list("/servers", "key")) == ["Bad", "Fan"] }
        try await HapProcess.wait { try await list("/definitions", "file") == ["bad.yaml", "fan.yaml"] }
        let kinds = try await list("/events/latest?kinds=server-added,server-removed", "kind")
        #expect(kinds.filter { $0 == "server-removed" }.count == 1 && kinds.count == 3, "\(kinds)")
        let changed = try await list("/events/latest?kinds=definition-changed", "name")
        #expect(Set(changed) == ["lamp.yaml", "bad.yaml", "fan.yaml"])
        #expect(try await process.terminate().status == 0)
    }

    @Test func deletedDefinitionIsSetAsideAndItsStateStays() async throws {
        let (process, _) = try await serving()
        let saved = try await save(Self.lamp, to: "lamp.yaml")
        let before = try await list("/servers", "deviceID")
        #expect(try await request("DELETE", "/definitions/lamp.yaml?revision=0").status == 409)
        let revision = saved.json?["revision"]?.string ?? ""
        #expect(try await request("DELETE", "/definitions/lamp.yaml?revision=\(revision)").status == 204)
        #expect(try await request("DELETE", "/definitions/lamp.yaml").status == 404)
        #expect(try await list("/servers", "key").isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("files")) == ["lamp.yaml.1.bak"])
        #expect(try await save(Self.lamp, to: "other.yaml").status == 200)
        #expect(try await list("/servers", "deviceID") == before)
        #expect(try await process.terminate().status == 0)
    }

    @Test func newNameAndCategoryAreAnnouncedWithTheSameIdentity() async throws {
        let (process, _) = try await serving()
        let saved = try await save(Self.lamp, to: "lamp.yaml")
        let before = try await list("/servers", "deviceID")
        let text = Self.lamp.replacing("accessory: Lamp\n", with: "accessory: Desk\nid: Lamp\ncategory: Other\n")
        let renamed = try await save(text, to: "lamp.yaml", revision: saved.json?["revision"]?.string)
        #expect(renamed.status == 200, "\(renamed)")
        #expect(try await list("/servers", "name") == ["Desk"])
        #expect(try await list("/servers", "deviceID") == before)
        let named = try await request("GET", "/servers/Lamp").json
        #expect(named?["category"]?.number?.double == 1)
        #expect(try await process.terminate().status == 0)
    }

    @Test func newIdIsAnotherAccessoryAndTheCheckWarns() async throws {
        let (process, _) = try await serving()
        let saved = try await save(Self.lamp, to: "lamp.yaml")
        let before = try await list("/servers", "deviceID")
        let text = Self.lamp.replacing("accessory: Lamp", with: "accessory: Desk")
        let body = JSONWriter.line { writer in
            writer.member("text", text)
            writer.member("file", "lamp.yaml")
        }
        let warning = try await request("POST", "/definitions/check", body).json?["diagnostics"]?.array?.first?.object
        #expect(warning?["severity"]?.string == "warning" && warning?["path"]?.string == "id")
        #expect(warning?["message"]?.string?.contains("write the id \"Lamp\"") == true)
        #expect(try await save(text, to: "lamp.yaml", revision: saved.json?["revision"]?.string).status == 200)
        #expect(try await list("/servers", "key") == ["Desk"])
        #expect(try await list("/servers", "deviceID") != before)
        #expect(try await process.terminate().status == 0)
    }

    @Test func exportsAndDumpsInTheFolderAreServed() async throws {
        let (process, _) = try await serving()
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Accessories/garage.hasaccessory")
        try FileManager.default.copyItem(atPath: source.path, toPath: folder("files/garage.hasaccessory"))
        let file = try await request("GET", "/definitions/garage.hasaccessory")
        #expect(file.status == 200 && file.json?["server"]?.string != nil, "\(file)")
        #expect(file.json?["definition"]?.object?["services"]?.array?.isEmpty == false)
        let revision = file.json?["revision"]?.string
        #expect(try await save(Self.lamp, to: "garage.hasaccessory", revision: revision).status == 409)
        #expect(try await save(file.json?["text"]?.string ?? "", to: "copy.yaml").status == 422, "it has the same id")
        #expect(try await request("DELETE", "/definitions/garage.hasaccessory").status == 204)
        #expect(try await save(file.json?["text"]?.string ?? "", to: "copy.yaml").status == 200)
        #expect(try await process.terminate().status == 0)
    }

    @Test func nothingOutsideOfTheFolderIsReadOrWritten() async throws {
        let (process, _) = try await serving()
        _ = try folder.write(Self.lamp, to: "secret.yaml")
        for name in ["..%2Fsecret.yaml", "%2Fetc%2Fpasswd.yaml", ".secret.yaml", "secret.txt", "a%00.yaml"] {
            #expect(try await request("GET", "/definitions/\(name)").status == 400, "\(name)")
            #expect(try await save("accessory: X\nservices: [{ type: Fan }]\n", to: name).status == 400, "\(name)")
            #expect(try await request("DELETE", "/definitions/\(name)").status == 400, "\(name)")
        }
        let bridge = "bridge: B\naccessories:\n  - include: ../secret.yaml\n"
        #expect(try await save(bridge, to: "bridge.yaml").status == 422)
        #expect(try String(contentsOfFile: folder("secret.yaml"), encoding: .utf8) == Self.lamp)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("files")).isEmpty)
        #expect(try await process.terminate().status == 0)
    }

    @Test func fileThatIsNamedAndInTheFolderIsServedOnce() async throws {
        try FileManager.default.createDirectory(atPath: folder("files"), withIntermediateDirectories: true)
        let lamp = try folder.write(Self.lamp, to: "files/lamp.yaml")
        let (process, ready) = try await serving(lamp)
        #expect(ready.map(\.name) == ["Lamp"])
        #expect(try await list("/definitions", "server") == ["Lamp"])
        #expect(try await process.terminate().status == 0)
    }

    @Test(arguments: [false, true])
    func serversContinueWhileTheFolderIsMissing(isReplacedByAnEmptyOne: Bool) async throws {
        let (process, _) = try await serving()
        let revision = try await save(Self.lamp, to: "lamp.yaml").json?["revision"]?.string
        let index = try await request("GET", "/servers/Lamp").json?["number"]?.unsigned
        try FileManager.default.moveItem(atPath: folder("files"), toPath: folder("elsewhere"))
        if isReplacedByAnEmptyOne {
            try FileManager.default.createDirectory(atPath: folder("files"), withIntermediateDirectories: true)
        }
        try await HapProcess.wait {
            process.output.contains("files is missing; its accessories are served as they were read")
        }
        #expect(try await request("GET", "/definitions/lamp.yaml").json?["server"]?.string == "Lamp")
        for refused in [
            try await save(Self.lamp, to: "lamp.yaml", revision: revision), try await save(text("New"), to: "new.yaml"),
            try await request("DELETE", "/definitions/lamp.yaml"),
        ] { #expect(refused.status == 409 && refused.json?["code"]?.string == "refused", "\(refused)") }
        if isReplacedByAnEmptyOne { try FileManager.default.removeItem(atPath: folder("files")) }
        try FileManager.default.moveItem(atPath: folder("elsewhere"), toPath: folder("files"))
        try await HapProcess.wait { process.output.contains("files is back.") }
        #expect(try await request("GET", "/servers/Lamp").json?["number"]?.unsigned == index)
        #expect(try await list("/events/latest?kinds=definition-folder", "kind").count == 2)
        try FileManager.default.removeItem(atPath: folder("files/lamp.yaml"))
        try await HapProcess.wait { try await list("/servers", "key").isEmpty }
        #expect(try await process.terminate().status == 0)
    }

    @Test func serverThatCannotStartIsTriedAgain() async throws {
        let other = try TemporaryFolder()
        // There is no port after this one.
        let taken = try await HapProcess.serving(["--console", "off", "--port", "65535"], in: other)
        let (process, _) = try await serving("--port", "65535")
        _ = try folder.write(Self.lamp, to: "files/lamp.yaml")
        try await HapProcess.wait { process.output.contains("It is tried again.") }
        #expect(try await list("/definitions", "server") == [nil])
        #expect(try await taken.process.terminate().status == 0)
        try await HapProcess.wait { try await list("/definitions", "server") == ["Lamp"] }
        #expect(process.output.components(separatedBy: "It is tried again.").count == 2)
        #expect(try await process.terminate().status == 0)
    }

    @Test func takenPortIsSkippedForAnAddedFileAndIsAnErrorAtTheStart() async throws {
        let taken = try await HapProcess.serving(["--console", "off"], in: try TemporaryFolder())
        let port = try #require(taken.ready.first?.port)
        // The port of the start has no alternative.
        _ = try folder.write(text("One"), to: "one.yaml")
        let refused = try await HapProcess.serve(in: folder, folder("one.yaml"), "--port", "\(port)")
        #expect(refused.status != 0 && refused.errors.contains("Another program listens on"), "\(refused)")
        let (process, _) = try await serving("--port", "\(port)")
        for id in ["One", "Two"] {
            let saved = try await save(text(id), to: "\(id).yaml")
            #expect(saved.status == 200, "\(saved)")
        }
        let ready = try ReadyServer.servers(in: Array(try Data(contentsOf: URL(filePath: folder("ready")))))
        #expect(ready.map(\.name) == ["One", "Two"])
        #expect(ready.allSatisfy { $0.port > port } && Set(ready.map(\.port)).count == 2)
        #expect(!process.output.contains("tried again"))
        #expect(try await process.terminate().status == 0)
        #expect(try await taken.process.terminate().status == 0)
    }

    @Test func numberOfAServerStaysWhenAnotherIsRemoved() async throws {
        let (process, _) = try await serving()
        for id in ["One", "Two", "Three"] { _ = try await save(text(id), to: "\(id).yaml") }
        let number = try #require(try await request("GET", "/servers/Two").json?["number"]?.unsigned)
        #expect(try await request("DELETE", "/definitions/One.yaml").status == 204)
        #expect(try await request("GET", "/servers/\(number)").json?["key"]?.string == "Two")
        #expect(try await request("DELETE", "/definitions/Two.yaml").status == 204)
        #expect(try await save(text("Four"), to: "Four.yaml").status == 200)
        #expect(try await request("GET", "/servers/\(number)").status == 404)
        #expect(try await process.terminate().status == 0)
    }

    @Test func errorInAnIncludedFileNamesThatFile() async throws {
        let (process, _) = try await serving()
        try FileManager.default.createDirectory(atPath: folder("files/parts"), withIntermediateDirectories: true)
        _ = try folder.write("accessory: Part\nservices: [{ type: Lightbulp }]\n", to: "files/parts/lamp.yaml")
        let bridge = "bridge: B\naccessories:\n  - include: parts/lamp.yaml\n"
        let body = JSONWriter.line { writer in
            writer.member("text", bridge)
            writer.member("file", "bridge.yaml")
        }
        let checked = try await request("POST", "/definitions/check", body)
        let refused = try await save(bridge, to: "bridge.yaml")
        #expect(refused.status == 422)
        _ = try folder.write(bridge, to: "files/bridge.yaml")
        let read = try await request("GET", "/definitions/bridge.yaml")
        for answer in [checked, refused, read] {
            let files = answer.json?["diagnostics"]?.array?.map { $0.object?["file"]?.string }
            #expect(files == ["parts/lamp.yaml"], "\(answer)")
        }
        let own = try await save("bridge: B\naccessories: [7]\n", to: "own.yaml")
        let files = own.json?["diagnostics"]?.array?.map { $0.object?["file"]?.string }
        #expect(own.status == 422 && files?.allSatisfy { $0 == nil } == true, "\(own)")
        #expect(try await process.terminate().status == 0)
    }

    @Test func addedCharacteristicIsRecordedInTheTrace() async throws {
        let (process, _) = try await serving("--trace", folder("trace"))
        let revision = try await save(Self.lamp, to: "lamp.yaml").json?["revision"]?.string
        let text = Self.lamp + "    characteristics: { Hue: 77 }\n"
        #expect(try await save(text, to: "lamp.yaml", revision: revision).status == 200)
        #expect(try await process.terminate().status == 0)
        let records = try String(contentsOfFile: folder("trace"), encoding: .utf8).split(separator: "\n")
            .compactMap { TraceRecord(line: $0) }.filter { $0.kind == .accessories }
        #expect(records.count == 2)
        #expect(records.last?.line.contains("\"value\":77") == true)
    }

    @Test func changesOfFaultsAndOfTimeAreEvents() async throws {
        let (process, _) = try await serving()
        #expect(try await save(Self.lamp, to: "lamp.yaml").status == 200)
        #expect(
            try await request("POST", "/faults", "{\"name\":\"latency\",\"parameters\":{\"delay\":\"1s\"}}").status
                == 200
        )
        #expect(try await request("DELETE", "/faults").status == 200)
        #expect(try await request("PUT", "/time", "{\"scale\":2,\"paused\":true}").status == 200)
        #expect(try await request("POST", "/time/advance", "{\"seconds\":1}").status == 200)
        let kinds = try await list("/events/latest?kinds=faults-changed,time-changed", "kind")
        #expect(kinds == ["faults-changed", "faults-changed", "time-changed", "time-changed", "time-changed"])
        #expect(try await process.terminate().status == 0)
    }
}
