import Foundation
import Hosting
import TestSupport
import Testing

/// The moments at which an edited file is read again.
@Suite struct FileWatchTests {
    private let folder: TemporaryFolder
    /// Stamps of three files that differ in size.
    private let stamps: [FileStamp]

    init() throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        stamps = try (1...3)
            .map { size in
                try #require(FileStamp(path: folder.write(String(repeating: "x", count: size), to: "\(size)")))
            }
    }

    /// Returns the results of several checks.
    private func checkResults(_ stamps: [FileStamp?]..., of files: (path: String, stamp: FileStamp?)...) -> [Bool] {
        var watch = FileChangeDetector(files)
        return stamps.map { watch.shouldReload($0) }
    }

    @Test func uneditedFileIsNotReread() {
        let same = [stamps[0], nil]
        #expect(checkResults(same, same, same, of: ("a", stamps[0]), ("b", nil)) == [false, false, false])
    }

    @Test func editedFileIsReadWhenTwoChecksAgree() {
        #expect(checkResults([stamps[1]], [stamps[1]], of: ("a", stamps[0])) == [false, true])
    }

    @Test func fileBeingWrittenIsAwaited() {
        let seen = checkResults([stamps[1]], [stamps[2]], [nil], [stamps[1]], [stamps[1]], of: ("a", stamps[0]))
        #expect(seen == [false, false, false, false, true])
    }

    @Test func revertedEditIsIgnored() {
        #expect(checkResults([nil], [stamps[0]], [stamps[0]], of: ("a", stamps[0])) == [false, false, false])
    }

    @Test func includedFileIsWatched() {
        let both = [stamps[0], stamps[1]]
        #expect(checkResults(both, both, of: ("a", stamps[0]), ("b", nil)) == [false, true])
    }

    @Test func removedFileIsReadToReportIt() {
        #expect(checkResults([nil], [nil], of: ("a", stamps[0])) == [false, true])
    }

    @Test func aStampDiffersWhenContentIsReplaced() throws {
        let path = try folder.write("same size 1", to: "file")
        let before = FileStamp(path: path)
        try FileManager.default.removeItem(atPath: path)
        // It stays open, so that the inode number of the old file is not reused.
        let other = try folder.write("x", to: "other")
        _ = try folder.write("same size 22", to: "file")
        #expect(FileStamp(path: path) != before)
        #expect(FileStamp(path: other) != nil)
        #expect(FileStamp(path: folder("missing")) == nil)
    }
}
