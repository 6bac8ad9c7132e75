import Foundation
import Testing

@testable import hap

/// When an edited file is read again.
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

    @Test func whatIsNotEditedIsNotRead() {
        var watch = FileWatch([("a", stamps[0]), ("b", nil)])
        #expect(watch.paths == ["a", "b"])
        for _ in 0..<3 {
            #expect(!watch.look([stamps[0], nil]))
        }
    }

    @Test func anEditedFileIsReadWhenTwoLooksSeeTheSame() {
        var watch = FileWatch([("a", stamps[0])])
        #expect(!watch.look([stamps[1]]))
        #expect(watch.look([stamps[1]]))
    }

    @Test func aFileThatIsBeingWrittenIsWaitedFor() {
        var watch = FileWatch([("a", stamps[0])])
        #expect(!watch.look([stamps[1]]))
        #expect(!watch.look([stamps[2]]))
        #expect(!watch.look([nil]))
        #expect(!watch.look([stamps[1]]))
        #expect(watch.look([stamps[1]]))
    }

    @Test func anEditThatIsTakenBackIsNone() {
        var watch = FileWatch([("a", stamps[0])])
        #expect(!watch.look([nil]))
        #expect(!watch.look([stamps[0]]))
        #expect(!watch.look([stamps[0]]))
    }

    @Test func anIncludedFileCountsAsWell() {
        var watch = FileWatch([("a", stamps[0]), ("b", nil)])
        #expect(!watch.look([stamps[0], stamps[1]]))
        #expect(watch.look([stamps[0], stamps[1]]))
    }

    @Test func aFileThatIsGoneIsReadToSaySo() {
        var watch = FileWatch([("a", stamps[0])])
        #expect(!watch.look([nil]))
        #expect(watch.look([nil]))
    }

    @Test func aStampDiffersWhenContentIsReplaced() throws {
        let path = try folder.write("same size 1", to: "file")
        let before = FileStamp(path: path)
        try FileManager.default.removeItem(atPath: path)
        // Kept open beside it, so that the number of the old file is not taken again.
        let other = try folder.write("x", to: "other")
        _ = try folder.write("same size 22", to: "file")
        #expect(FileStamp(path: path) != before)
        #expect(FileStamp(path: other) != nil)
        #expect(FileStamp(path: folder("missing")) == nil)
    }
}
