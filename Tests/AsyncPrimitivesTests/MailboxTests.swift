import Testing

@testable import AsyncPrimitives

@Suite(.timeLimit(.minutes(1))) struct MailboxTests {
    /// A buffer that returns numbers in their order, has a limit, and ignores negative numbers.
    private struct NumberBuffer: MailboxBuffer {
        struct Overflow: Error {}

        var limit = Int.max
        private var waiting: [Int] = []

        init(limit: Int = .max) {
            self.limit = limit
        }

        mutating func enqueue(_ message: Int) throws(Overflow) -> Bool {
            guard message >= 0 else { return false }
            guard waiting.count < limit else { throw Overflow() }
            waiting.append(message)
            return true
        }

        mutating func dequeue() -> Int? {
            waiting.isEmpty ? nil : waiting.removeFirst()
        }
    }

    @Test func messagesArriveInOrderThenTheMailboxFinishes() async throws {
        let mailbox = Mailbox(NumberBuffer())
        for number in [1, -1, 2] { mailbox.send(number) }
        mailbox.finish()
        mailbox.send(3)
        #expect(try await mailbox.next() == 1)
        #expect(try await mailbox.next() == 2)
        #expect(try await mailbox.next() == nil)
        #expect(mailbox.dequeue() == nil)
    }

    @Test func readerWaitsOnlyAfterItHasReceivedAllMessages() async throws {
        let mailbox = Mailbox(NumberBuffer())
        #expect(!mailbox.isReaderWaiting)
        mailbox.send(1)
        let reader = Task { [mailbox] in
            _ = try await mailbox.next()
            return try await mailbox.next()
        }
        while !mailbox.isReaderWaiting { await Task.yield() }
        mailbox.send(2)
        #expect(try await reader.value == 2)
        #expect(!mailbox.isReaderWaiting)
        mailbox.finish()
        #expect(try await mailbox.next() == nil)
        #expect(!mailbox.isReaderWaiting)
    }

    @Test func waitingReaderGetsTheNextMessage() async throws {
        let mailbox = Mailbox(NumberBuffer())
        let reader = Task { try await mailbox.next() }
        await waitUntilSuspended(mailbox)
        mailbox.send(-1)
        mailbox.send(7)
        #expect(try await reader.value == 7)
    }

    @Test func eachMessageOfSeveralSendersArrivesOnce() async throws {
        let mailbox = Mailbox(NumberBuffer())
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

    @Test func bufferErrorIsDeliveredAfterQueuedMessages() async throws {
        let mailbox = Mailbox(NumberBuffer(limit: 1))
        mailbox.send(1)
        mailbox.send(2)
        mailbox.finish()
        #expect(try await mailbox.next() == 1)
        await #expect(throws: NumberBuffer.Overflow.self) { try await mailbox.next() }
        await #expect(throws: NumberBuffer.Overflow.self) { try await mailbox.next() }
    }

    @Test(arguments: [false, true]) func cancellationFinishesTheMailbox(beforeWaiting: Bool) async throws {
        let mailbox = Mailbox(NumberBuffer())
        let reader = Task {
            if beforeWaiting { withUnsafeCurrentTask { $0?.cancel() } }
            return try await mailbox.next()
        }
        if !beforeWaiting {
            await waitUntilSuspended(mailbox)
            reader.cancel()
        }
        #expect(try await reader.value == nil)
        mailbox.send(1)
        #expect(try await mailbox.next() == nil)
    }

    @Test func cancelledReaderStillGetsQueuedMessages() async throws {
        let mailbox = Mailbox(NumberBuffer())
        mailbox.send(1)
        let reader = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return [try await mailbox.next(), try await mailbox.next()]
        }
        #expect(try await reader.value == [1, nil])
    }

    @Test func waitingRemovesNoMessage() async {
        let mailbox = Mailbox(NumberBuffer())
        mailbox.send(1)
        await mailbox.wait()
        #expect(mailbox.dequeue() == 1)
        let cancelled = Task { await mailbox.wait() }
        cancelled.cancel()
        await cancelled.value
        mailbox.wake()
        await mailbox.wait()
        mailbox.finish()
        await mailbox.wait()
        mailbox.send(2)
        #expect(mailbox.dequeue() == nil)
    }

    /// Lets other tasks run until the reader is most likely suspended; the test passes even if it is not.
    private func waitUntilSuspended(_ mailbox: Mailbox<NumberBuffer>) async {
        for _ in 0..<100 { await Task.yield() }
    }
}
