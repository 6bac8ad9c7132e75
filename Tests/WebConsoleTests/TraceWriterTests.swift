import Foundation
import TestSupport
import Testing

@testable import WebConsole

/// The file of a trace, at a path that another user may have prepared.
struct TraceWriterTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func failure(_ path: String, of user: uid_t = geteuid()) -> String? {
        do throws(TraceWriter.Failure) {
            _ = try TraceWriter(path: path, of: user) { _ in }
            return nil
        } catch {
            return error.reason
        }
    }

    private func content(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test func ownFileIsEmptiedAndPrivate() throws {
        let path = try folder.write("old", to: "a.trace")
        chmod(path, 0o644)
        #expect(failure(path) == nil)
        #expect(try content(path).hasPrefix("{\"kind\":\"trace\""))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(failure(folder("new.trace")) == nil)
    }

    @Test func fileOfAnotherUserIsLeftAlone() throws {
        let path = try folder.write("kept", to: "a.trace")
        #expect(failure(path, of: geteuid() &+ 1) == "it belongs to another user")
        #expect(try content(path) == "kept")
    }

    @Test func linkAndItsTargetAreLeftAlone() throws {
        let target = try folder.write("kept", to: "target")
        try FileManager.default.linkItem(atPath: target, toPath: folder("hard"))
        try FileManager.default.createSymbolicLink(atPath: folder("soft"), withDestinationPath: target)
        #expect(failure(folder("hard")) == "it has other names (hard links)")
        #expect(failure(folder("soft")) == "it is a link")
        #expect(try content(target) == "kept")
    }

    @Test func pipeIsNotOpened() throws {
        #expect(mkfifo(folder("pipe"), 0o600) == 0)
        let reader = open(folder("pipe"), O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        #expect(failure(folder("pipe")) == "it is not a file")
        // After a writer has come and gone, a pipe reports that it was hung up.
        var state = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        #expect(poll(&state, 1, 0) == 0 && state.revents == 0)
    }
}
