import Foundation
import Glibc
import Hosting
import TestSupport
import Testing

/// The folder of definitions on disk.
struct AccessoryFolderTests {
    private let outside: TemporaryFolder
    private let folder: AccessoryFolder

    init() throws {
        outside = try TemporaryFolder()
        folder = try AccessoryFolder(NamedFile(outside("inside")))
        _ = try outside.write("accessory: Secret\nservices: [{ type: Switch }]\n", to: "secret.yaml")
    }

    /// Writes a file, and replaces the one that is there.
    private func write(_ text: String, to name: String) throws {
        let name = DefinitionFileName(name)
        let revision = folder.read(name)?.first.map { DefinitionFile.revision(of: $0.bytes) }
        try folder.write(Array(text.utf8), to: name, replacing: revision)
    }

    private func read(_ name: String) -> [UInt8]? { folder.read(DefinitionFileName(name))?.first?.bytes }

    @Test(arguments: [
        "", ".", "..", "../secret.yaml", "/etc/passwd", "a/b.yaml", ".hidden.yaml", ".yaml", "lamp", "lamp.txt",
        "lamp.yaml.1.bak", "a\u{0}.yaml", "a\n.yaml", String(repeating: "a", count: 96) + ".yaml",
    ])
    func namesThatAreNotFilesOfTheFolderAreRefused(name: String) {
        #expect(throws: DefinitionFolderError.self) { try folder.path(of: DefinitionFileName(name)) }
        #expect(throws: DefinitionFolderError.self) { try write("accessory: A", to: name) }
        #expect(throws: DefinitionFolderError.self) { try folder.setAside(DefinitionFileName(name)) }
        #expect(read(name) == nil)
    }

    @Test(arguments: ["lamp.yaml", "Lamp.YML", "lamp.json", "a.hasaccessory", "Lämpchen #1.yaml"])
    func namesWithoutAFolderAreFiles(name: String) throws {
        #expect(try folder.path(of: DefinitionFileName(name)) == "\(folder.path)/\(name)")
    }

    @Test func linksOutOfTheFolderAreNotRead() throws {
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/link.yaml",
            withDestinationPath: outside("secret.yaml")
        )
        let source = try #require(folder.read(DefinitionFileName("link.yaml"))?.first)
        #expect(source.bytes.isEmpty)
        #expect(throws: (any Error).self) { try source.result.get() }
        #expect(throws: (any Error).self) { try folder.includedFile("../secret.yaml") }
        #expect(throws: (any Error).self) { try folder.includedFile("link.yaml") }
    }

    /// Whether a file outside is empty cannot be learned, and a pipe there is not opened.
    @Test func linkOutOfTheFolderIsNotOpenedToSeeWhetherItIsEmpty() throws {
        _ = try outside.write("", to: "empty")
        mkfifo(outside("pipe"), 0o600)
        let watch = inotify_init1(Int32(IN_NONBLOCK))
        defer { close(watch) }
        for name in ["empty", "secret.yaml", "pipe"] {
            #expect(inotify_add_watch(watch, outside(name), UInt32(IN_OPEN)) >= 0)
            let link = "\(folder.path)/\(name).yaml"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: outside(name))
            #expect(!RegularFile.isEmpty(link, in: folder.path))
        }
        var events = [UInt8](repeating: 0, count: 1_024)
        #expect(Glibc.read(watch, &events, events.count) == -1 && errno == EAGAIN)
        try write("", to: "empty.yaml")
        #expect(RegularFile.isEmpty("\(folder.path)/empty.yaml", in: folder.path))
    }

    @Test func writeReplacesALinkAndNotItsTarget() throws {
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/link.yaml",
            withDestinationPath: outside("secret.yaml")
        )
        try write("accessory: New\n", to: "link.yaml")
        #expect(try String(contentsOfFile: outside("secret.yaml"), encoding: .utf8).hasPrefix("accessory: Secret"))
        #expect(read("link.yaml") == Array("accessory: New\n".utf8))
    }

    @Test func copiesAreNeverOverwritten() throws {
        let lamp = DefinitionFileName("lamp.yaml")
        try write("first", to: "lamp.yaml")
        try folder.copy(Array("first".utf8), of: lamp)
        try folder.copy(Array("second".utf8), of: lamp)
        try folder.setAside(lamp)
        let texts = try (1...3)
            .map { try String(contentsOfFile: "\(folder.path)/lamp.yaml.\($0).bak", encoding: .utf8) }
        #expect(texts == ["first", "second", "first"])
        #expect(folder.names.isEmpty)
        #expect(read("lamp.yaml") == nil)
    }

    @Test func onlyTheRevisionThatWasSeenIsReplacedOrSetAside() throws {
        let lamp = DefinitionFileName("lamp.yaml")
        try write("first", to: "lamp.yaml")
        try write("second", to: "lamp.yaml")
        let first = DefinitionFile.revision(of: Array("first".utf8))
        for revision in [first, nil] {
            #expect(throws: DefinitionFolderError.self) {
                try folder.write(Array("third".utf8), to: lamp, replacing: revision)
            }
        }
        #expect(throws: DefinitionFolderError.self) { try folder.setAside(lamp, revision: first) }
        #expect(read("lamp.yaml") == Array("second".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["lamp.yaml"])
        try folder.setAside(lamp, revision: DefinitionFile.revision(of: Array("second".utf8)))
        #expect(throws: DefinitionFolderError.self) {
            try folder.write(Array("third".utf8), to: lamp, replacing: first)
        }
        #expect(read("lamp.yaml") == nil)
    }

    @Test func namesThatAreEqualAccordingToUnicodeAreDifferentFiles() throws {
        let names = ["caf\u{e9}.yaml", "cafe\u{301}.yaml"]
        for name in names { try write(name, to: name) }
        #expect(folder.names.count == 2)
        #expect(Set(folder.names) == Set(names.map { DefinitionFileName($0) }))
        for name in names { #expect(read(name) == Array(name.utf8)) }
    }

    @Test func newFilesArePrivateAndOthersKeepTheirPermissions() throws {
        try write("a", to: "new.yaml")
        _ = try outside.write("b", to: "inside/old.yaml")
        chmod("\(folder.path)/old.yaml", 0o644)
        try write("c", to: "old.yaml")
        for (name, mode) in [("new.yaml", 0o600), ("old.yaml", 0o644)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode)
        }
        #expect(folder.names.map(\.text) == ["new.yaml", "old.yaml"])
    }

    @Test func fileIsNotAFolder() {
        #expect(throws: HostError.self) { try AccessoryFolder(NamedFile(outside("secret.yaml"))) }
        #expect(throws: HostError.self) { try AccessoryFolder(NamedFile(outside("missing/inside"))) }
    }

    @Test func ofTooManyFilesThoseThatAreServedAlreadyStay() throws {
        for number in 0..<(AccessoryFolder.maximumFiles + 5) { try write("a", to: "\(number).yaml") }
        let last = DefinitionFileName("zzz.yaml")
        try write("a", to: last.text)
        let listing = try #require(folder.listing(keeping: [last]))
        #expect(listing.names.count == AccessoryFolder.maximumFiles)
        #expect(listing.omitted == 6 && listing.omissionText?.contains("6 more") == true)
        #expect(listing.names.contains(last))
        #expect(folder.listing()?.names.contains(last) == false)
    }

    @Test func missingFolderHasNoListing() throws {
        #expect(folder.listing()?.names == [])
        try FileManager.default.removeItem(atPath: folder.path)
        #expect(folder.listing() == nil)
    }

    @Test func unchangedFolderIsNotListedAgain() throws {
        try write("a", to: "a.yaml")
        let earlier = Date(timeIntervalSinceNow: -10)
        func makeOld() throws {
            try FileManager.default.setAttributes([.modificationDate: earlier], ofItemAtPath: folder.path)
        }
        try makeOld()
        let first = try #require(folder.listing())
        try write("b", to: "b.yaml")
        #expect(folder.listing(since: first)?.names.count == 2)
        // The same time of change stands for no change.
        try makeOld()
        #expect(folder.listing(since: first)?.names.count == 1)
    }
}
