import AsyncPrimitives
import ServiceLifecycle
import Synchronization
import Testing
import UnixSignals

@testable import Hosting

/// The parts of a process, which begin together and end one after the other.
@Suite(.timeLimit(.minutes(1))) struct ProcessPartsTests {
    private final class Book: Sendable {
        private let entries = Mutex<[String]>([])

        var lines: [String] { entries.withLock { $0 } }

        func record(_ line: String) { entries.withLock { $0.append(line) } }
    }

    private let book = Book()
    private let end = OneShot<Void>()

    /// Returns a part that records when it begins and when it ends.
    private func part(_ name: String) -> @Sendable () async throws -> Void {
        { [book] in
            book.record("\(name) begins")
            try? await gracefulShutdown()
            book.record("\(name) ends")
        }
    }

    private func run(_ works: [@Sendable () async throws -> Void]) async throws {
        try await ProcessParts(until: UnixSignalsSequence(trapping: []), or: end, works).run()
    }

    @Test func theLastPartEndsFirst() async throws {
        try await run([part("servers"), part("home"), { [end] in end.set() }, part("console")])
        #expect(Set(book.lines.prefix(3)) == ["servers begins", "home begins", "console begins"])
        #expect(book.lines.suffix(3) == ["console ends", "home ends", "servers ends"])
    }

    @Test func partWhoseWorkIsDoneEndsNothing() async throws {
        let isDone = OneShot<Void>()
        try await run([
            part("servers"), { isDone.set() },
            { [end, book] in
                _ = await isDone.waitUnlessCancelled()
                book.record("others run")
                end.set()
            },
        ])
        #expect(book.lines.last == "servers ends")
        #expect(book.lines.contains("others run"))
    }

    @Test func failureOfAPartEndsTheOthersInOrder() async throws {
        let error = try #require(
            await #expect(throws: HostError.self) {
                try await run([part("servers"), { throw HostError.unavailable("No console.") }, part("home")])
            }
        )
        #expect(error == .unavailable("No console."))
        #expect(book.lines.suffix(2) == ["home ends", "servers ends"])
    }

    @Test func cancellationEndsTheParts() async throws {
        let hasBegun = OneShot<Void>()
        let task = Task {
            try await run([
                part("servers"),
                {
                    hasBegun.set()
                    try? await gracefulShutdown()
                },
            ])
        }
        _ = await hasBegun.waitUnlessCancelled()
        task.cancel()
        try await task.value
        #expect(book.lines.filter { $0 == "servers begins" }.count == book.lines.filter { $0 == "servers ends" }.count)
    }
}
