import Foundation
import Hosting
import TestSupport
import Testing

@testable import hap

/// Files that are written at a path that another user may have prepared.
@Suite struct OutputFileTests {
    private let folder: TemporaryFolder
    private let other = geteuid() &+ 1

    init() throws {
        folder = try TemporaryFolder()
    }

    private func content(_ name: String) throws -> String {
        try String(contentsOfFile: folder(name), encoding: .utf8)
    }

    private func mode(_ name: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder(name))
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    @Test func linkOfAnotherUserIsNotWrittenThrough() throws {
        _ = try folder.write("kept", to: "target")
        try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: folder("target"))
        lchown(folder("link"), other, gid_t.max)
        // Without the right to give the link away, this user takes the place of the other one.
        let output = OutputFile(folder("link"), isSecret: true, by: geteuid() == 0 ? 0 : other)
        let failure = #expect(throws: CommandFailure.self) { try output.write([1]) }
        #expect(failure?.message.hasSuffix("is a link of another user; name the file itself.") == true)
        #expect(throws: CommandFailure.self) { try output.check(isReplacing: true) }
        #expect(try content("target") == "kept")
    }

    @Test func ownLinkIsWrittenThrough() throws {
        _ = try folder.write("old", to: "target")
        try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: folder("target"))
        try OutputFile(folder("link"), isSecret: true).write(Array("new".utf8))
        #expect(try content("target") == "new")
    }

    @Test func permissionsOfAnotherUsersFileAreNotKept() throws {
        for (user, kept) in [(geteuid(), 0o644), (other, 0o600)] {
            chmod(try folder.write("old", to: "file"), 0o644)
            try OutputFile(folder("file"), isSecret: true, by: user).write(Array("secret".utf8))
            #expect(try mode("file") == kept)
        }
    }
}
