import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite struct AtomicFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
    }

    @Test(
        arguments: [(.owner, [0o600, 0o600]), (.mode(0o644), [0o600, 0o644])] as [(AtomicFile.Permissions, [Int])]
    )
    func aFileIsPrivateWhileItIsWritten(permissions: AtomicFile.Permissions, modes: [Int]) throws {
        let path = folder.path + "/ready"
        try Data("older".utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o666)
        var seen: [Int] = []
        var sizes: [Int] = []
        try AtomicFile.write(Array("secret".utf8), to: path, permissions: permissions) { descriptor in
            var status = stat()
            fstat(descriptor, &status)
            seen.append(Int(status.st_mode & 0o777))
            sizes.append(status.st_size)
            #expect(FileManager.default.contents(atPath: path) == Data("older".utf8))
        }
        #expect(seen == modes)
        #expect(sizes == [0, 6])
        #expect(try TemporaryFolder.permissions(of: path) == modes[1])
        #expect(FileManager.default.contents(atPath: path) == Data("secret".utf8))
        #expect(try names == ["ready"])
    }

    @Test func aFailedRenameLeavesNoFile() throws {
        try FileManager.default.createDirectory(atPath: folder.state, withIntermediateDirectories: true)
        for path in [folder.state, folder.path + "/missing/file", folder.path + "/a\0b"] {
            #expect(throws: AtomicFile.Failure.self) {
                try AtomicFile.write([1], to: path, permissions: .owner)
            }
        }
        #expect(try names == ["state"])
    }

    @Test func aLinkIsReplacedAndItsTargetLeftAlone() throws {
        let target = folder.path + "/target"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: target))
        let link = folder.path + "/ready"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        try AtomicFile.write([1], to: link, permissions: .owner)
        #expect(FileManager.default.contents(atPath: target) == Data("mine".utf8))
        #expect(FileManager.default.contents(atPath: link) == Data([1]))
    }

    /// Another program's change between the start of a write and its rename.
    @Test(arguments: ["seen", "changed", nil])
    func aFileIsReplacedOnlyIfItIsAsExpected(content: String?) throws {
        let path = folder.path + "/lamp"
        try Data("seen".utf8).write(to: URL(fileURLWithPath: path))
        let isWritten = try AtomicFile.write(
            Array("mine".utf8),
            to: path,
            permissions: .owner,
            replacing: .file { FileManager.default.contents(atPath: $0) == Data("seen".utf8) }
        ) { _ in
            if let content {
                try? Data(content.utf8).write(to: URL(fileURLWithPath: path))
            } else {
                unlink(path)
            }
        }
        #expect(isWritten == (content == "seen"))
        let expected = content == "seen" ? "mine" : content
        #expect(FileManager.default.contents(atPath: path) == expected.map { Data($0.utf8) })
        #expect(try names == (content == nil ? [] : ["lamp"]))
    }

    @Test func aVersionThatAppearsWhileAnotherIsRestoredIsNotLost() throws {
        let path = folder.path + "/lamp"
        try Data("first".utf8).write(to: URL(fileURLWithPath: path))
        let isWritten = try AtomicFile.write(
            Array("mine".utf8),
            to: path,
            permissions: .owner,
            replacing: .file { _ in
                try? Data("second".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
                return false
            }
        )
        #expect(!isWritten)
        #expect(FileManager.default.contents(atPath: path) == Data("second".utf8))
    }

    @Test(arguments: [true, false])
    func aNewFileReplacesNoFile(exists: Bool) throws {
        let path = folder.path + "/lamp"
        let isWritten = try AtomicFile.write(
            Array("mine".utf8),
            to: path,
            permissions: .owner,
            replacing: .nothing
        ) { _ in
            if exists { try? Data("other".utf8).write(to: URL(fileURLWithPath: path)) }
        }
        #expect(isWritten == !exists)
        #expect(FileManager.default.contents(atPath: path) == Data((exists ? "other" : "mine").utf8))
        #expect(try names == ["lamp"])
    }

    /// The calls that change a file: each one returns after the name is on disk.
    static let changes: [(name: String, change: @Sendable (String, (Int32) -> Int32) throws -> Bool)] = [
        ("write", { try AtomicFile.write([1], to: $0, permissions: .owner, synchronize: $1) }),
        (
            "replace",
            { path, synchronize in
                try AtomicFile.write(
                    [1],
                    to: path,
                    permissions: .owner,
                    replacing: .file { _ in true },
                    synchronize: synchronize
                )
            }
        ),
        (
            "create",
            { path, synchronize in
                unlink(path)
                return try AtomicFile.write(
                    [1],
                    to: path,
                    permissions: .owner,
                    replacing: .nothing,
                    synchronize: synchronize
                )
            }
        ),
        (
            "rename",
            { path, synchronize in
                try Data([1]).write(to: URL(fileURLWithPath: path + ".new"))
                unlink(path)
                return try AtomicFile.rename(path + ".new", toFree: path, synchronize: synchronize)
            }
        ),
    ]

    @Test(arguments: changes)
    func theNameOfAFileIsOnDiskAfterAChange(
        name: String,
        change: @Sendable (String, (Int32) -> Int32) throws -> Bool
    ) throws {
        let path = folder.path + "/lamp"
        /// Changes a file of one byte, and returns what was synchronized last.
        func changed(failingForFolders code: Int32? = nil) throws -> (isFolder: Bool, content: Data?)? {
            try Data([0]).write(to: URL(fileURLWithPath: path))
            var last: (isFolder: Bool, content: Data?)?
            let isChanged = try change(path) { descriptor in
                var status = stat()
                fstat(descriptor, &status)
                let isFolder = status.st_mode & S_IFMT == S_IFDIR
                last = (isFolder, FileManager.default.contents(atPath: path))
                guard isFolder, let code else { return 0 }
                errno = code
                return -1
            }
            #expect(isChanged)
            return last
        }
        let last = try #require(try changed())
        #expect(last.isFolder && last.content == Data([1]))
        let error = #expect(throws: AtomicFile.Failure.self) { try changed(failingForFolders: EIO) }
        #expect(error?.code == EIO)
        // A file system that cannot synchronize folders.
        _ = try changed(failingForFolders: EINVAL)
        #expect(try names == ["lamp"])
    }
}
