import AccessoryModel
import Foundation
import HomeModel
import Synchronization
import TestSupport
import Testing

@testable import Hosting

/// Edits of the file of a served home.
@Suite struct ServedHomeFileTests {
    private let folder: TemporaryFolder
    private let path: String
    private let file: ServedHomeFile
    /// The numbers of rooms of the documents that were merged.
    private let merged = Merges()

    private final class Merges: Sendable {
        let rooms = Mutex<[Int]>([])
        let failure = Mutex<HostError?>(nil)
        /// Whether the failure occurs in the dry run before the file is written.
        let failsBeforehand = Mutex(false)
    }

    init() throws {
        folder = try TemporaryFolder()
        path = try folder.write("# Ours.\nhome: House\n", to: "home.yaml")
        let source = HomeSource(NamedFile(path))
        file = ServedHomeFile(
            source,
            try source.document(),
            of: try ObjectName("House"),
            report: { _ in },
            merge: { [merged] edit throws(HostError) in
                let failsNow = edit.isDryRun == merged.failsBeforehand.withLock { $0 }
                if failsNow, let failure = merged.failure.withLock({ $0 }) { throw failure }
                guard !edit.isDryRun else { return [] }
                merged.rooms.withLock { $0.append(edit.document.homes[0].rooms.count) }
                return ["A room was added."]
            }
        )
    }

    private var text: String { get throws { try String(contentsOfFile: path, encoding: .utf8) } }

    private var rooms: [Int] { merged.rooms.withLock { $0 } }

    @Test func editIsOnDiskAndMergedWhenItReturnsAndIsReportedOnce() async throws {
        chmod(path, 0o640)
        let content = try await file.content()
        #expect(content.text == "# Ours.\nhome: House\n" && rooms.isEmpty)
        let edited = try await file.replace(content.text + "rooms: [Attic]\n", revision: content.revision)
        #expect(try text == edited.text && rooms == [1])
        #expect(try await file.content().revision == edited.revision && rooms == [1])
        #expect(await file.reload() == "\(path) reloaded: A room was added.")
        #expect(await file.reload() == nil)
        #expect(await file.reload() == nil)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
    }

    @Test func editOfAnEarlierContentIsRefused() async throws {
        let content = try await file.content()
        _ = try folder.write("home: House\nrooms: [Hall, Attic]\n", to: "home.yaml")
        await #expect {
            try await file.replace("home: House\n", revision: content.revision)
        } throws: { error in
            if case DefinitionFolderError.changed(_, let revision?) = error {
                revision != content.revision
            } else {
                false
            }
        }
        #expect(try text == "home: House\nrooms: [Hall, Attic]\n" && rooms.isEmpty)
        try FileManager.default.removeItem(atPath: path)
        await #expect {
            try await file.replace("home: House\n", revision: content.revision)
        } throws: { error in
            if case DefinitionFolderError.changed(_, nil) = error { true } else { false }
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func onlyOneOfSeveralEditsOfOneContentIsMade() async throws {
        let content = try await file.content()
        let made = await withTaskGroup(of: Bool.self) { group in
            for number in 1...20 {
                group.addTask { [file] in
                    (try? await file.replace("home: House\nrooms: [R\(number)]\n", revision: content.revision)) != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(made == 1 && rooms == [1])
    }

    @Test(arguments: ["home: [", "home: House\nroms: []\n", "home: Other House\n", ""])
    func invalidContentChangesNothing(text: String) async throws {
        let content = try await file.content()
        await #expect(throws: DefinitionFolderError.self) {
            try await file.replace(text, revision: content.revision)
        }
        #expect(try self.text == content.text && rooms.isEmpty)
    }

    @Test func fileThatWasEditedOnDiskIsMergedBeforeItIsReturned() async throws {
        _ = try folder.write("home: House\nrooms: [Hall, Attic]\n", to: "home.yaml")
        #expect(try await file.content().text == "home: House\nrooms: [Hall, Attic]\n")
        #expect(rooms == [2])
        #expect(await file.reload() == "\(path) reloaded: A room was added.")
        #expect(await file.reload() == nil)
        _ = try folder.write("home: [", to: "home.yaml")
        await #expect(throws: DefinitionFolderError.self) { try await file.content() }
        #expect(rooms == [2])
    }

    @Test func linkStaysAndItsTargetIsReplaced() async throws {
        let target = folder("target.yaml")
        try FileManager.default.moveItem(atPath: path, toPath: target)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        let content = try await file.content()
        _ = try await file.replace("home: House\nrooms: [Attic]\n", revision: content.revision)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "home: House\nrooms: [Attic]\n")
    }

    @Test func contentThatCannotBeMergedKeepsItsRevision() async throws {
        let content = try await file.content()
        merged.failure.withLock { $0 = .failed("The store is full.") }
        await #expect {
            try await file.replace("home: House\nrooms: [Attic]\n", revision: content.revision)
        } throws: { error in
            if case DefinitionFolderError.failed("The store is full.", _?) = error { true } else { false }
        }
        merged.failure.withLock { $0 = nil }
        // It is read again like a file that was edited in an editor.
        #expect(await file.reload() == nil)
        #expect(await file.reload() == "\(path) reloaded: A room was added.")
        #expect(try await file.content().text == "home: House\nrooms: [Attic]\n" && rooms == [1])
    }

    @Test func contentThatTheHomeRefusesIsNotWritten() async throws {
        let content = try await file.content()
        merged.failure.withLock { $0 = .fileContent("There is no such room.") }
        merged.failsBeforehand.withLock { $0 = true }
        await #expect(throws: DefinitionFolderError.self) {
            try await file.replace("home: House\nzones: {Up: [Missing]}\n", revision: content.revision)
        }
        #expect(try text == content.text && rooms.isEmpty)
    }
}
