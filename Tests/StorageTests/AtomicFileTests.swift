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
}
