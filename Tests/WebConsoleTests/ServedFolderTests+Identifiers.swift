import Foundation
import HAPCore
import HTTPTypes
import Hosting
import TestSupport
import Testing

@testable import WebConsole

/// The names and the identifiers of files in the folder of definitions.
extension ServedFolderTests {
    @Test func filesWithNamesThatUnicodeConsidersEqualAreServedSeparately() async throws {
        let served = try await serving()
        _ = try folder.write("accessory: One\nservices: [{ type: Fan }]\n", to: "files/caf\u{e9}.yaml")
        _ = try folder.write("accessory: Two\nservices: [{ type: Fan }]\n", to: "files/cafe\u{301}.yaml")
        await served.check()
        #expect(try await Set(served.list("/servers", "key")) == ["One", "Two"])
        #expect(try await served.request(.get, "/definitions/caf%C3%A9.yaml").json?["server"]?.string == "One")
        #expect(try await served.request(.get, "/definitions/cafe%CC%81.yaml").json?["server"]?.string == "Two")
        #expect(try await served.request(.delete, "/definitions/caf%C3%A9.yaml").status == 204)
        #expect(try await served.list("/servers", "key") == ["Two"])
        await served.host.stop()
    }

    func text(_ id: String, _ type: String = "Fan", more: String = "") -> String {
        "accessory: \(id)\nservices: [{ type: \(type) }]\n\(more)"
    }

    @Test func fileThatWaitsForAnIdentifierIsServedWhenAnotherFileIsDeletedOrChanged() async throws {
        try FileManager.default.createDirectory(atPath: folder("files"), withIntermediateDirectories: true)
        let device = "deviceID: 12:34:56:78:9A:BC\n"
        _ = try folder.write(text("Lamp"), to: "files/a.yaml")
        _ = try folder.write(text("Lamp", "Switch"), to: "files/b.yaml")
        _ = try folder.write(text("One", more: device), to: "files/c.yaml")
        _ = try folder.write(text("Two", more: device), to: "files/d.yaml")
        let served = try await serving()
        #expect(Set(served.host.servers.map(\.name)) == ["Lamp", "One"])
        #expect(try await served.list("/definitions", "server") == ["Lamp", nil, "One", nil])
        // A served file whose new version has the id of another one.
        _ = try folder.write(text("Desk"), to: "files/e.yaml")
        await served.check()
        #expect(try await served.list("/servers", "key").contains("Desk"))
        _ = try folder.write(text("Lamp", "Outlet"), to: "files/e.yaml")
        await served.check()
        #expect(served.output.contains("e.yaml is not reloaded; the previous version stays."))
        try FileManager.default.removeItem(atPath: folder("files/a.yaml"))
        await served.check()
        #expect(try await served.list("/definitions", "server") == [nil, "One", nil, "Lamp"])
        _ = try folder.write(text("Other", "Switch"), to: "files/b.yaml")
        await served.check()
        #expect(try await served.list("/definitions", "server") == ["Other", "One", nil, "Lamp"])
        // A server keeps the device ID of its state, also if its file does not name it any more.
        let revision = try await served.request(.get, "/definitions/c.yaml").json?["revision"]?.string
        #expect(try await served.save(text("One"), to: "c.yaml", revision: revision).status == 200)
        #expect(try await served.list("/definitions", "server") == ["Other", "One", nil, "Lamp"])
        let identity = try await served.list("/servers", "deviceID").compactMap(\.self)
        let twin = try await served.save(
            text("Twin", more: "deviceID: \(try #require(identity.first))\n"),
            to: "f.yaml",
            revision: nil
        )
        #expect(twin.status == 422)
        try FileManager.default.removeItem(atPath: folder("files/c.yaml"))
        await served.check()
        #expect(try await served.list("/definitions", "server") == ["Other", "Two", "Lamp"])
        await served.host.stop()
    }

    @Test func filesCanExchangeTheirIdentifiers() async throws {
        try FileManager.default.createDirectory(atPath: folder("files"), withIntermediateDirectories: true)
        let names = ["a": "First", "b": "Second", "c": "Third"]
        for (file, name) in names { _ = try folder.write(text(name), to: "files/\(file).yaml") }
        let served = try await serving()
        #expect(try await served.list("/definitions", "server") == ["First", "Second", "Third"])
        for (file, name) in zip(["a", "b", "c"], ["Second", "Third", "First"]) {
            _ = try folder.write(text(name), to: "files/\(file).yaml")
        }
        await served.check()
        #expect(try await served.list("/definitions", "server") == ["Second", "Third", "First"])
        await served.host.stop()
    }
}
