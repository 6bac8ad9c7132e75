import HAPCore
import Testing

@Suite("A controller's requests on one connection")
struct RequestQueueTests {
    private let first = HTTPRequest(.get, .accessories)
    private let second = HTTPRequest(.get, .characteristics)
    private let answer = HTTPMessage(.response, status: 200, body: [1])

    private func at(_ seconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
    }

    private func twoRequests() -> RequestQueue {
        var queue = RequestQueue()
        let sent = queue.enqueue(first, as: .init(1), within: .seconds(10), at: at(0))
        #expect(sent == .send(first))
        let waits = queue.enqueue(second, as: .init(2), within: .seconds(5), at: at(1))
        #expect(waits == nil)
        return queue
    }

    @Test("are sent one at a time, each answer going to its own")
    func inOrder() throws {
        var queue = twoRequests()
        #expect(try queue.receive(answer, at: at(2)) == [.answer(.init(1), answer), .send(second)])
        #expect(queue.nextDeadline == at(7))
        #expect(try queue.receive(answer, at: at(3)) == [.answer(.init(2), answer)])
        #expect(queue.nextDeadline == nil)
    }

    @Test("are overdue when their time is up, which counts from when they are sent")
    func overdue() throws {
        var queue = twoRequests()
        #expect(!queue.isOverdue(at: at(9)))
        #expect(queue.isOverdue(at: at(10)))
        _ = try queue.receive(answer, at: at(10))
        #expect(!queue.isOverdue(at: at(14)))
        #expect(queue.isOverdue(at: at(15)))
    }

    @Test("are not disturbed by events, which are handed on at once")
    func events() throws {
        var queue = RequestQueue()
        let event = HTTPMessage(.event, status: 200, body: [7])
        #expect(try queue.receive(event, at: at(0)) == [.event([7])])
        queue = twoRequests()
        #expect(try queue.receive(event, at: at(0)) == [.event([7])])
        #expect(try queue.receive(answer, at: at(2)) == [.answer(.init(1), answer), .send(second)])
    }

    @Test("have no answers but their own")
    func unsolicited() {
        var queue = RequestQueue()
        #expect(throws: RequestQueue.unsolicited) { try queue.receive(answer, at: at(0)) }
    }

    @Test("that are given up keep their place when they were sent, and their answer is nobody's")
    func cancelled() throws {
        var queue = twoRequests()
        let isKnown = queue.cancel(.init(1))
        #expect(isKnown)
        let isKnownTwice = queue.cancel(.init(1))
        #expect(!isKnownTwice)
        #expect(try queue.receive(answer, at: at(2)) == [.send(second)])
        #expect(try queue.receive(answer, at: at(3)) == [.answer(.init(2), answer)])
        queue = twoRequests()
        let waited = queue.cancel(.init(2))
        #expect(waited)
        #expect(try queue.receive(answer, at: at(2)) == [.answer(.init(1), answer)])
    }

    @Test("all end with the connection, in their order")
    func ended() throws {
        var queue = twoRequests()
        let ended = queue.end()
        #expect(ended == [.init(1), .init(2)])
        #expect(try queue.receive(answer, at: at(2)) == [])
        #expect(queue.nextDeadline == nil)
    }
}
