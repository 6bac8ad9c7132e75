import Foundation
import Simulation
import SimulationRuntime
import TestSupport
import Testing
import WebConsole

@testable import hap

/// Commands from standard input that arrive faster than they are performed.
@Suite(.timeLimit(.minutes(1))) struct StandardInputTests {
    @Test func inputIsReadOnlyWhenItIsWanted() async throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        try pipe.fileHandleForWriting.write(contentsOf: Data(repeating: 0x0A, count: 20_000))
        #expect(await StandardInput.nextPart(of: descriptor)?.count == 4_096)
        var waiting: Int32 = 0
        #expect(ioctl(descriptor, UInt(FIONREAD), &waiting) == 0)
        #expect(waiting == 20_000 - 4_096)
        try pipe.fileHandleForWriting.close()
        var count = 4_096
        while let part = await StandardInput.nextPart(of: descriptor) { count += part.count }
        #expect(count == 20_000)
    }

    @Test func canceledTaskDoesNotWaitForInput() async throws {
        let pipe = Pipe()
        let task = Task { await StandardInput.nextPart(of: pipe.fileHandleForReading.fileDescriptor) }
        task.cancel()
        #expect(await task.value == nil)
        try pipe.fileHandleForWriting.close()
    }

    @Test(arguments: [false, true]) func canceledTaskPerformsNoCommandThatItHasRead(isCanceled: Bool) async throws {
        let simulation = await CurrentSimulationServers(SimulationServers([]))
        let commands = PrintedCommands(
            Console(
                of: "serve",
                version: "1",
                EventJournal(),
                simulation: simulation
            ),
            LinePrinter(descriptor: -1)
        )
        let (input, lines) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingOldest(1))
        lines.yield(Array("quit\n".utf8))
        lines.finish()
        let gate = OnceFlag()
        let task = Task {
            while gate.isUnclaimed { await Task.yield() }
            return await commands.executeInput(input)
        }
        if isCanceled { task.cancel() }
        _ = gate.claim()
        #expect(await task.value == !isCanceled)
    }
}
