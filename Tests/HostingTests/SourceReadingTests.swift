import AccessoryFiles
import Documents
import Foundation
import Hosting
import TestSupport
import Testing

/// How files are opened.
@Suite struct SourceReadingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let lamp = "accessory: Lamp\nservices:\n  - type: Switch\n"

    private func reason(_ path: String) -> String? {
        guard case .failure(let error) = SourceContents(NamedFile(path)).servableResult else { return nil }
        #expect(error.diagnostics.allSatisfy { $0.file == path })
        return error.diagnostics.first?.reason
    }

    @Test func fileIsReadAndRecorded() throws {
        let path = try folder.write(Self.lamp, to: "lamp.yaml")
        let reading = SourceContents(NamedFile(path))
        #expect(try reading.servableResult.get().document.name == "Lamp")
        #expect(reading.files.map(\.path) == [path])
        #expect(reading.files[0].stamp == FileStamp(path: path))
    }

    /// If a file exists whose name contains a `#`, the whole argument is its path.
    @Test func allDevicesOfAFileAreServedOrOneByName() throws {
        let path = try folder.write(String(decoding: Dumps.entityMap, as: UTF8.self), to: "entity-map")
        let ids = ["AA:BB:CC:00:00:01", "AA:BB:CC:00:00:02", "AA:BB:CC:00:00:03"]
        let all = try HostedContent.load([NamedFile(path)], nil).served
        #expect(all.map { $0.file?.path } == ids.map { "\(path)#\($0)" })
        #expect(Set(all.map(\.key)).count == 3)
        let one = try HostedContent.load([NamedFile("\(path)#\(ids[1])")], nil).served
        #expect(one.map(\.name) == ["Bulb 0US9"])
        #expect(SourceContents(NamedFile("\(path)#\(ids[1])")).files.map(\.path) == [path])
        #expect(reason(path)?.hasPrefix("the file contains 3 devices; append one of these to the file name") == true)
        #expect(reason("\(path)#1")?.hasPrefix("the file contains no device \"1\"") == true)
        let marked = try folder.write(Self.lamp, to: "lamp#1")
        #expect(try SourceContents(NamedFile(marked)).servableResult.get().document.name == "Lamp")
    }

    @Test func includesAreRelativeToTheFileAndRecorded() throws {
        try FileManager.default.createDirectory(atPath: folder("parts"), withIntermediateDirectories: true)
        let part = try folder.write(Self.lamp, to: "parts/lamp.yaml")
        let path = try folder.write("bridge: B\naccessories:\n  - include: parts/lamp.yaml\n", to: "bridge.yaml")
        let reading = SourceContents(NamedFile(path))
        #expect(try reading.servableResult.get().document.accessories.count == 2)
        #expect(reading.files.map(\.path) == [path, part])
    }

    @Test func missingIncludeIsRecorded() throws {
        let path = try folder.write("bridge: B\naccessories:\n  - include: lamp.yaml\n", to: "bridge.yaml")
        let reading = SourceContents(NamedFile(path))
        #expect(throws: DocumentError.self) { try reading.servableResult.get() }
        #expect(reading.files.map(\.path) == [path, folder("lamp.yaml")])
        #expect(reading.files[1].stamp == nil)
    }

    @Test func includeOutsideTheFolderIsRefused() throws {
        let files = FileManager.default
        for name in ["other", "home/parts"] {
            try files.createDirectory(atPath: folder(name), withIntermediateDirectories: true)
        }
        for name in ["secret.yaml", "other/secret.yaml", "home/lamp.yaml", "home/parts/lamp.yaml"] {
            _ = try folder.write(Self.lamp, to: name)
        }
        for (link, target) in [
            ("home/link.yaml", folder("secret.yaml")), ("home/away", folder("other")), ("home/inside", "parts"),
            ("alias", "home"), ("homes", "other"),
        ] {
            try files.createSymbolicLink(atPath: folder(link), withDestinationPath: target)
        }
        func reason(_ include: String, in name: String) throws -> String? {
            let path = try folder.write("bridge: B\naccessories:\n  - include: \"\(include)\"\n", to: name)
            return self.reason(path)
        }
        for name in ["home/b.yaml", "alias/b.yaml"] {
            for include in [
                "../secret.yaml", "link.yaml", "away/secret.yaml", folder("secret.yaml"), folder("other/secret.yaml"),
                "../homes/secret.yaml", "parts/../../secret.yaml", "/etc/passwd",
            ] {
                #expect(try reason(include, in: name)?.contains("outside the folder") == true, "\(include)")
            }
            for include in ["lamp.yaml", "parts/../lamp.yaml", "inside/lamp.yaml", folder("home/parts/lamp.yaml")] {
                #expect(try reason(include, in: name) == nil, "\(include)")
            }
        }
        #expect(try reason("lamp.yaml\\0.txt", in: "home/b.yaml")?.contains("zero byte") == true)
    }

    @Test func unreadableIncludeReportsTheReason() throws {
        try FileManager.default.createDirectory(atPath: folder("parts"), withIntermediateDirectories: true)
        #expect(mkfifo(folder("pipe"), 0o600) == 0)
        #expect(truncate(try folder.write("", to: "large.yaml"), AccessoryFile.maximumSize + 1) == 0)
        for (name, reason) in [
            ("parts", "this is a folder"), ("pipe", "this is a pipe or a device"),
            ("gone.yaml", "there is no such file"),
            ("large.yaml", "the file has 4194305 bytes"),
        ] {
            let path = try folder.write("bridge: B\naccessories:\n  - include: \(name)\n", to: "bridge.yaml")
            #expect(self.reason(path)?.hasPrefix("\"\(name)\" cannot be read: \(reason)") == true)
        }
    }

    /// A file without read permission is found, and fails when it is opened.
    @Test func forbiddenIncludeIsNamedAsWritten() throws {
        let path = try folder.write(Self.lamp, to: "secret.yaml")
        #expect(chmod(path, 0) == 0)
        let error = try runAsOtherUser {
            #expect(throws: DocumentError.self) { try RegularFile(path, in: folder.path) }
        }
        #expect(
            error?.diagnostics.map(\.description) == ["\(path): you may not read this file; change its permissions"]
        )
    }

    /// Runs a closure without root's right to read every file.
    ///
    /// The user is that of this thread alone.
    private func runAsOtherUser<Result>(_ body: () throws -> Result) throws -> Result {
        guard geteuid() == 0 else { return try body() }
        // The header of this function is not imported.
        let function = try #require(dlsym(nil, "setfsuid"))
        let setUser = unsafeBitCast(function, to: (@convention(c) (uid_t) -> CInt).self)
        _ = setUser(65_534)
        defer { _ = setUser(0) }
        return try body()
    }

    @Test func linksAreFollowed() throws {
        let path = try folder.write(Self.lamp, to: "lamp.yaml")
        try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: path)
        #expect(reason(folder("link")) == nil)
    }

    @Test func otherFileTypesAreNotRead() throws {
        #expect(reason(folder("missing"))?.contains("no such file") == true)
        #expect(reason(folder.path)?.contains("this is a folder") == true)
        #expect(mkfifo(folder("pipe"), 0o600) == 0)
        #expect(reason(folder("pipe"))?.contains("this is a pipe or a device") == true)
        #expect(reason("/dev/zero")?.contains("this is a pipe or a device") == true)
        try FileManager.default.createSymbolicLink(atPath: folder("loop"), withDestinationPath: folder("loop"))
        #expect(reason(folder("loop"))?.contains("form a loop") == true)
    }

    @Test(arguments: [AccessoryFile.maximumSize + 1, 1 << 40])
    func tooLargeFileIsNotRead(size: Int) throws {
        let path = try folder.write("", to: "large.yaml")
        #expect(truncate(path, size) == 0)
        #expect(reason(path) == "the file has \(size) bytes; at most \(AccessoryFile.maximumSize) bytes are read")
    }

    /// Each step is the number of bytes that are read, or a negative `errno`.
    @Test(arguments: [
        ([2, 3, 0], 5), ([-EINTR, 5, 0], 5), ([2, -EINTR, -EINTR, 3, -EINTR, 0], 5), ([2, -EIO], nil),
    ])
    func interruptedReadIsRepeated(steps: [Int32], count: Int?) throws {
        var steps = steps[...]
        let content = try? RegularFile.content(expecting: 5) { buffer in
            let step = steps.popFirst() ?? 0
            errno = -min(step, 0)
            for index in 0..<Int(max(step, 0)) { buffer[index] = 1 }
            return step < 0 ? -1 : Int(step)
        }
        #expect(content?.count == count)
        #expect(steps.isEmpty)
    }

    @Test func emptyFileIsRead() throws {
        let path = try folder.write("", to: "empty.yaml")
        #expect(reason(path) != nil)
        #expect(try RegularFile(path).bytes == [])
    }
}
