import AirPlay
import Foundation
import HAPCore
import TestSupport
import Testing

@testable import AirPlayDriver

/// The files of a recorder, without sockets.
struct AudioRecorderTests {
    private static func format() throws -> AudioFormat {
        try #require(AudioFormat(codec: .pcm, sampleRate: 44_100, channels: 2, bitsPerSample: 16))
    }

    /// The bytes of a file after its head.
    private static func content(_ path: String?) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: #require(path))).dropFirst(44))
    }

    @Test func filesAreNumberedAndHaveNamesWithoutSpecialCharacters() async throws {
        let folder = try TemporaryFolder()
        for number in 1...2 {
            let recorder = AudioRecorder(folder: folder("a"), name: "../Den & Co", try Self.format())
            recorder.append([1, 2, 3, 4])
            #expect(await recorder.store(isLast: true) == nil)
            #expect(recorder.path == folder("a/---Den---Co-\(number).wav"))
            #expect(try Self.content(recorder.path) == [2, 1, 4, 3])
        }
    }

    @Test func aFolderThatCannotBeCreatedIsTheReasonAndNotATrap() async throws {
        let folder = try TemporaryFolder()
        let recorder = AudioRecorder(folder: folder("a/b/c"), name: "Den", try Self.format())
        recorder.append([1, 2, 3, 4])
        let failure = await recorder.store(isLast: true)
        #expect(failure?.contains("a/b/c") == true && recorder.path == nil)
    }

    /// A stream is stored each second and at its end, which may be at the same time.
    @Test func callsAtTheSameTimeStoreEachByteOnce() async throws {
        let folder = try TemporaryFolder()
        for _ in 0..<20 {
            let recorder = AudioRecorder(folder: folder("a"), name: "Den", try Self.format())
            await withDiscardingTaskGroup { group in
                for number in 0..<40 as Range<UInt8> {
                    recorder.append([number, 0, number, 1])
                    group.addTask { await recorder.store() }
                }
            }
            #expect(await recorder.store(isLast: true) == nil)
            #expect(try Self.content(recorder.path) == (0..<40).flatMap { [0, $0, 1, $0] })
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder("a"))
        #expect(files.count == 20, "each recording has one file")
    }
}
