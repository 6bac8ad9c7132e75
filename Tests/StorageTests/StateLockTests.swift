import AccessoryModel
import Foundation
import HAPCore
import Storage
import TestSupport
import Testing

@Suite struct StateLockTests {
    @Test func aSecondOpenIsRefusedAndNamesTheHolder() async throws {
        let folder = try TemporaryFolder()
        let store = try await StateStore.open(folder: folder.state)
        let error = await #expect(throws: StoreError.self) { try await StateStore.open(folder: folder.state) }
        #expect(error?.code == .inUse)
        #expect(error?.reason.contains(folder.state) == true)
        #expect(error?.reason.contains("process \(getpid())") == true)
        #expect(error?.remedy.isEmpty == false)
        // The refused attempt does not affect the first store.
        try await store.server(key: "garage").apply(.countFailedProof)
        #expect(try String(contentsOfFile: folder.state + "/lock", encoding: .utf8) == "\(getpid())\n")
        try await store.close()
    }

    @Test func anInheritedDescriptorDoesNotHoldTheLock() async throws {
        let folder = try TemporaryFolder()
        let store = try await StateStore.open(folder: folder.state)
        let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
        let held = try #require(
            files.first { file in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(file)")
                return target == folder.state + "/lock"
            }
        )
        let copy = dup(held)
        defer { close(copy) }
        try await store.close()
        #expect(try StateStore.holder(of: folder.state) == nil)
        try await StateStore.open(folder: folder.state).close()
    }

    @Test func theHolderIsKnownWhileTheStoreIsOpen() async throws {
        let folder = try TemporaryFolder()
        #expect(try StateStore.holder(of: folder.state) == nil)
        let store = try await StateStore.open(folder: folder.state)
        #expect(try StateStore.holder(of: folder.state)?.processID == getpid())
        try await store.close()
        #expect(try StateStore.holder(of: folder.state) == nil)
        try await StateStore.open(folder: folder.state).close()
    }

    @Test func findingTheHolderCreatesNothing() throws {
        let folder = try TemporaryFolder()
        _ = try StateStore.holder(of: folder.state)
        #expect(!FileManager.default.fileExists(atPath: folder.state))
    }

    @Test(arguments: ["999999\n", "", "not a number", "99999999999999999999999999999999999999"])
    func aLockFileWithoutALockHoldsNothing(_ text: String) async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.state, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.state + "/lock"))
        #expect(try StateStore.holder(of: folder.state) == nil)
        let store = try await StateStore.open(folder: folder.state)
        #expect(try String(contentsOfFile: folder.state + "/lock", encoding: .utf8) == "\(getpid())\n")
        try await store.close()
    }

    @Test(arguments: ["", "x", "99999999999999999999999999999999999999"])
    func aHolderWithoutAProcessIDIsAnotherProcess(_ text: String) async throws {
        let folder = try TemporaryFolder()
        let store = try await StateStore.open(folder: folder.state)
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.state + "/lock"))
        #expect(try StateStore.holder(of: folder.state)?.description == "another process")
        let error = await #expect(throws: StoreError.self) { try await StateStore.open(folder: folder.state) }
        #expect(error?.reason.contains("another process") == true)
        try await store.close()
    }

    @Test func anotherProcessIsRefusedAndALockEndsWithItsProcess() async throws {
        let folder = try TemporaryFolder()
        try await StateStore.open(folder: folder.state).close()
        let lock = folder.state + "/lock"
        let output = Pipe()
        let process = try ChildProcess(
            ["flock", "--no-fork", lock, "sh", "-c", "echo $$ > \"$0\"; echo ready; exec sleep 60", lock],
            output: output.fileHandleForWriting
        )
        #expect(output.fileHandleForReading.availableData == Data("ready\n".utf8))
        let error = await #expect(throws: StoreError.self) { try await StateStore.open(folder: folder.state) }
        #expect(error?.code == .inUse)
        #expect(error?.reason.contains("process \(process.processID)") == true)
        kill(process.processID, SIGKILL)
        process.waitUntilExit()
        #expect(try StateStore.holder(of: folder.state) == nil)
        try await StateStore.open(folder: folder.state).close()
    }
}
