import Foundation
import Synchronization
import Testing
import WebConsole

@testable import hap

/// Commands that are read from standard input.
@Suite(.timeLimit(.minutes(1))) struct StandardInputTests {
    /// Returns how many bytes a pipe contains.
    private func waitingCount(in descriptor: Int32) throws -> Int {
        var count: Int32 = 0
        try #require(ioctl(descriptor, UInt(FIONREAD), &count) == 0)
        return Int(count)
    }

    @Test func partThatIsNotUsedIsNotRead() async throws {
        let pipe = Pipe()
        let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: 3 * StandardInput.partSize)
        try pipe.fileHandleForWriting.write(contentsOf: bytes)
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        var parts = StandardInput(descriptor: descriptor).bytes().makeAsyncIterator()
        for number in 1...3 {
            #expect(await parts.next()?.count == StandardInput.partSize)
            #expect(try waitingCount(in: descriptor) == (3 - number) * StandardInput.partSize)
        }
        try pipe.fileHandleForWriting.close()
        #expect(await parts.next() == nil)
    }

    @Test func endlessDeviceIsReadInParts() async throws {
        let zeros = try #require(FileHandle(forReadingAtPath: "/dev/zero"))
        var parts = StandardInput(descriptor: zeros.fileDescriptor).bytes().makeAsyncIterator()
        for _ in 0..<3 {
            #expect(await parts.next()?.count == StandardInput.partSize)
        }
    }

    @Test func closedDescriptorEndsTheInput() async {
        var parts = StandardInput(descriptor: 1 << 20).bytes().makeAsyncIterator()
        #expect(await parts.next() == nil)
    }

    @Test func canceledReaderOfASilentPipeEnds() async {
        let pipe = Pipe()
        let reading = Task {
            for await _ in StandardInput(descriptor: pipe.fileHandleForReading.fileDescriptor).bytes() {}
        }
        reading.cancel()
        await reading.value
    }

    @Test func canceledInputPerformsNoFurtherCommand() async throws {
        let answers = Pipe()
        let printer = LinePrinter(descriptor: answers.fileHandleForWriting.fileDescriptor)
        let console = Console(of: "serve", version: "1", EventJournal())
        let commands = PrintedCommands(console, printer)
        let isCanceled = Atomic(false)
        let task = Task {
            // The first line cancels the task; the others are already in memory.
            await commands.executeInput(
                AsyncStream {
                    guard !isCanceled.exchange(true, ordering: .relaxed) else { return nil }
                    withUnsafeCurrentTask { $0?.cancel() }
                    return Array(String(repeating: "show\n", count: 100).utf8)
                }
            )
        }
        #expect(await task.value == false)
        #expect(printer.flush(within: .seconds(30)))
        try answers.fileHandleForWriting.close()
        #expect(try answers.fileHandleForReading.readToEnd() ?? Data() == Data())
    }

    @Test func lineThatIsTooLongIsIgnoredAndTheNextOneIsPerformed() async throws {
        let answers = Pipe()
        let printer = LinePrinter(descriptor: answers.fileHandleForWriting.fileDescriptor)
        let commands = PrintedCommands(Console(of: "serve", version: "1", EventJournal()), printer)
        let (input, parts) = AsyncStream.makeStream(of: [UInt8].self)
        parts.yield([UInt8](repeating: 0, count: 10_000))
        parts.yield(Array("\nshow".utf8))
        parts.finish()
        #expect(await commands.executeInput(input) == false)
        #expect(printer.flush(within: .seconds(30)))
        try answers.fileHandleForWriting.close()
        let text = String(decoding: try answers.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(
            text == """
                A line has at most 4096 bytes; this one is ignored.
                This process serves no accessories. Use a process of 'hap serve'.

                """
        )
    }
}
