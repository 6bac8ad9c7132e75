import AccessoryModel
import Foundation
import TestSupport
import Testing

@testable import Storage

/// Tests which state folders, and which files in them, are accepted.
@Suite struct StateFolderTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func refusal(_ path: String) async -> StoreError? {
        await #expect(throws: StoreError.self) { try await StateStore.open(folder: path).close() }
    }

    @Test(
        arguments: ["lock", "hap.sqlite", "hap.sqlite-wal", "hap.sqlite-shm", "hap.sqlite-journal"],
        [false, true]
    )
    func linksInTheFolderAreRefusedAndTheirTargetsLeftAlone(name: String, isHard: Bool) async throws {
        try await StateStore.open(folder: folder.state).close()
        let target = folder.path + "/target"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: target))
        chmod(target, 0o644)
        let path = folder.state + "/" + name
        unlink(path)
        #expect((isHard ? link(target, path) : symlink(target, path)) == 0)
        let error = await refusal(folder.state)
        #expect(error?.code == .unavailable)
        #expect(error?.reason.hasPrefix(path + (isHard ? " has other names" : " is a link")) == true, "\(error as Any)")
        #expect(FileManager.default.contents(atPath: target) == Data("mine".utf8))
        #expect(try TemporaryFolder.permissions(of: target) == 0o644)
    }

    @Test func aLinkInThePlaceOfADraftIsRemovedAndNotFollowed() async throws {
        let target = folder.path + "/target"
        mkdir(folder.state, 0o700)
        for suffix in ["", "-journal", "-wal"] {
            #expect(symlink(target, folder.database + ".new" + suffix) == 0)
        }
        try await StateStore.open(folder: folder.state).close()
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test func aPipeInPlaceOfTheLockDoesNotBlock() async throws {
        mkdir(folder.state, 0o700)
        #expect(mkfifo(folder.state + "/lock", 0o600) == 0)
        #expect(await refusal(folder.state)?.reason.hasSuffix("/lock is not a file.") == true)
        #expect(throws: StoreError.self) { try StateStore.holder(of: folder.state) }
    }

    @Test(
        arguments: [
            (1_000, 1_000, 0o755, 1_000, nil), (0, 0, 0o755, 1_000, nil), (1_000, 1_000, 0o700, 0, nil),
            (1_001, 1_000, 0o700, 1_000, .owner), (1_001, 1_001, 0o770, 1_000, .owner),
            (1_000, 1_000, 0o775, 1_000, nil), (1_000, 100, 0o770, 1_000, .group), (0, 100, 0o770, 1_000, .group),
            (1_000, 100, 0o770, 0, .group), (1_000, 1_000, 0o702, 1_000, .everyone), (0, 0, 0o1777, 0, .everyone),
        ] as [(UInt32, UInt32, UInt32, UInt32, FolderAccess.UntrustedWriter?)]
    )
    func otherUsersWhoMayWriteAreFound(
        owner: UInt32,
        group: UInt32,
        mode: UInt32,
        user: UInt32,
        writer: FolderAccess.UntrustedWriter?
    ) {
        let access = FolderAccess(owner: owner, group: group, mode: mode)
        #expect(access.untrustedWriter(for: user) { $0 == $1 } == writer)
    }

    @Test func aGroupIsPrivateOnlyIfItIsTheUsersPrimaryGroup() {
        #expect(!FolderAccess.isOwnGroup(owner: 0, group: 1))
        #expect(!FolderAccess.isOwnGroup(owner: .max - 1, group: .max - 1))
    }

    @Test func aFolderThatOthersCanWriteIsRefusedUntilItIsRepaired() async throws {
        let parent = folder.path
        chmod(parent, 0o1777)
        mkdir(folder.state, 0o700)
        chmod(folder.state, 0o777)
        let error = await refusal(folder.state)
        #expect(error?.code == .unavailable)
        #expect(error?.remedy.contains("`chmod go-w \(folder.state.shellQuoted)`") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.state) == [])
        #expect(try StateStore.inspect(folder: folder.state).contents == .unusable(try #require(error)))
        // The parent folders are not checked, so that a folder in /tmp can be used.
        chmod(folder.state, 0o755)
        try await StateStore.open(folder: folder.state).close()
    }

    @Test(
        arguments: [
            ("/var/lib/hap", "/var/lib/hap"), ("my state", "'my state'"), ("it's", #"'it'\''s'"#),
            ("a;b$(c)", "'a;b$(c)'"),
            ("-R", "./-R"), ("- x", "'./- x'"), ("Küche", "Küche"), ("~", "'~'"), ("", "''"),
        ]
    )
    func pathsAreQuotedForTheShell(path: String, word: String) {
        #expect(path.shellQuoted == word)
    }

    @Test(arguments: ["file:", "file:///", "file:?mode=memory&", "%41?#é"])
    func aPathIsNotReadAsAURI(prefix: String) async throws {
        // A relative name refers to the working directory.
        let name = prefix.replacing("/", with: "") + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: name) }
        try await StateStore.open(folder: name).close()
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: name)) == ["hap.sqlite", "lock"])
        #expect(try StateStore.inspect(folder: name).contents == .intact(servers: [], isCurrent: true))
        let nested = folder.path + "/" + prefix
        try await StateStore.open(folder: nested).close()
        #expect(FileManager.default.fileExists(atPath: nested + "/hap.sqlite"))
    }

    @Test func aNameWithAZeroByteIsRefused() async {
        #expect(await refusal(folder.path + "\0/x")?.reason.contains("zero byte") == true)
    }
}
