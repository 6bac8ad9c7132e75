import Testing

@testable import AsyncPrimitives

@Suite(.timeLimit(.minutes(1))) struct MailboxTests {
    /// Messages in their order, up to a limit; negative ones are left out.
    private struct Numbers: MailboxBuffer {
        struct Overflow: Error {}

        var limit = Int.max
        private var waiting: [Int] = []

        init(limit: Int = .max) {
            self.limit = limit
        }

        mutating func receive(_ message: Int) throws(Overflow) -> Bool {
            guard message >= 0 else { return false }
            guard waiting.count < limit else { throw Overflow() }
            waiting.append(message)
            return true
        }

        mutating func take() -> Int? {
            waiting.isEmpty ? nil : waiting.removeFirst()
        }
    }

    @Test func messagesArriveInTheirOrderAndThenTheEnd() async throws {
        let mailbox = Mailbox(Numbers())
        for number in [1, -1, 2] { mailbox.send(number) }
        mailbox.finish()
        mailbox.send(3)
        #expect(try await mailbox.next() == 1)
        #expect(try await mailbox.next() == 2)
        #expect(try await mailbox.next() == nil)
        #expect(mailbox.take() == nil)
    }

    @Test func aReaderThatWaitsGetsWhatComes() async throws {
        let mailbox = Mailbox(Numbers())
        let reader = Task { try await mailbox.next() }
        await suspended(mailbox)
        mailbox.send(-1)
        mailbox.send(7)
        #expect(try await reader.value == 7)
    }

    @Test func everyMessageOfSeveralSendersArrivesOnce() async throws {
        let mailbox = Mailbox(Numbers())
        let reader = Task {
            var numbers: [Int] = []
            while let number = try await mailbox.next() { numbers.append(number) }
            return numbers
        }
        await withTaskGroup { group in
            for sender in 0..<8 {
                group.addTask {
                    for step in 0..<500 { mailbox.send(sender * 1_000 + step) }
                }
            }
        }
        mailbox.finish()
        let numbers = try await reader.value
        #expect(numbers.count == 4_000)
        for sender in 0..<8 {
            #expect(numbers.filter { $0 / 1_000 == sender }.map { $0 % 1_000 } == Array(0..<500))
        }
    }

    @Test func aFailureOfTheBufferIsTheEndBehindWhatWaits() async throws {
        let mailbox = Mailbox(Numbers(limit: 1))
        mailbox.send(1)
        mailbox.send(2)
        mailbox.finish()
        #expect(try await mailbox.next() == 1)
        await #expect(throws: Numbers.Overflow.self) { try await mailbox.next() }
        await #expect(throws: Numbers.Overflow.self) { try await mailbox.next() }
    }

    @Test(arguments: [false, true]) func cancellationEndsTheMailbox(beforeWaiting: Bool) async throws {
        let mailbox = Mailbox(Numbers())
        let reader = Task {
            if beforeWaiting { withUnsafeCurrentTask { $0?.cancel() } }
            return try await mailbox.next()
        }
        if !beforeWaiting {
            await suspended(mailbox)
            reader.cancel()
        }
        #expect(try await reader.value == nil)
        mailbox.send(1)
        #expect(try await mailbox.next() == nil)
    }

    @Test func aCancelledReaderStillGetsWhatWaits() async throws {
        let mailbox = Mailbox(Numbers())
        mailbox.send(1)
        let reader = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return [try await mailbox.next(), try await mailbox.next()]
        }
        #expect(try await reader.value == [1, nil])
    }

    @Test func aWaitEndsWithoutTakingAnythingOut() async {
        let mailbox = Mailbox(Numbers())
        mailbox.send(1)
        await mailbox.wait()
        #expect(mailbox.take() == 1)
        let cancelled = Task { await mailbox.wait() }
        cancelled.cancel()
        await cancelled.value
        mailbox.wake()
        await mailbox.wait()
        mailbox.finish()
        await mailbox.wait()
        mailbox.send(2)
        #expect(mailbox.take() == nil)
    }

    /// Lets other tasks run until the reader most likely waits; the claims hold whether it does or not.
    private func suspended(_ mailbox: Mailbox<Numbers>) async {
        for _ in 0..<100 { await Task.yield() }
    }
}
