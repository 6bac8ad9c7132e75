import HAPCore
import Testing

@Suite("A controller's requests on one connection")
struct RequestQueueTests {
    private let first = HTTPRequest(.get, .accessories)
    private let second = HTTPRequest(.get, .characteristics)
    private let response = HTTPMessage(.response, status: 200, body: [1])

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

    // A noncopyable value cannot be used inside `#expect`.
    private func expect(
        _ queue: inout RequestQueue,
        receiving message: HTTPMessage,
        at now: MonotonicInstant,
        _ expected: [RequestQueue.Action],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let actions = try queue.receive(message, at: now)
        #expect(actions == expected, sourceLocation: sourceLocation)
    }

    private func expectOverdue(
        _ expected: Bool,
        _ queue: borrowing RequestQueue,
        at now: MonotonicInstant,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let isOverdue = queue.isOverdue(at: now)
        #expect(isOverdue == expected, sourceLocation: sourceLocation)
    }

    private func expectDeadline(
        _ expected: MonotonicInstant?,
        _ queue: borrowing RequestQueue,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let deadline = queue.nextDeadline
        #expect(deadline == expected, sourceLocation: sourceLocation)
    }

    @Test("Requests are sent one at a time, and each gets its own response")
    func responsesAreMatchedInOrder() throws {
        var queue = twoRequests()
        try expect(&queue, receiving: response, at: at(2), [.response(.init(1), response), .send(second)])
        expectDeadline(at(7), queue)
        try expect(&queue, receiving: response, at: at(3), [.response(.init(2), response)])
        expectDeadline(nil, queue)
    }

    @Test("The timeout of a request starts when it is sent")
    func overdueRequestsTimeOut() throws {
        var queue = twoRequests()
        expectOverdue(false, queue, at: at(9))
        expectOverdue(true, queue, at: at(10))
        _ = try queue.receive(response, at: at(10))
        expectOverdue(false, queue, at: at(14))
        expectOverdue(true, queue, at: at(15))
    }

    @Test("Events are delivered at once, and do not disturb requests")
    func eventsLeaveTheQueueUnchanged() throws {
        var queue = RequestQueue()
        let event = HTTPMessage(.event, status: 200, body: [7])
        try expect(&queue, receiving: event, at: at(0), [.event([7])])
        queue = twoRequests()
        try expect(&queue, receiving: event, at: at(0), [.event([7])])
        try expect(&queue, receiving: response, at: at(2), [.response(.init(1), response), .send(second)])
    }

    @Test("A response without a request is an error")
    func unsolicitedResponsesAreRefused() {
        var queue = RequestQueue()
        do throws(ProtocolError) {
            _ = try queue.receive(response, at: at(0))
            Issue.record("nothing was thrown")
        } catch {
            #expect(error == RequestQueue.unsolicitedResponse)
        }
    }

    @Test("A cancelled request keeps its place if it was sent, and its response is ignored")
    func responsesToCancelledRequestsAreDiscarded() throws {
        var queue = twoRequests()
        let isKnown = queue.cancel(.init(1))
        #expect(isKnown)
        let isKnownTwice = queue.cancel(.init(1))
        #expect(!isKnownTwice)
        try expect(&queue, receiving: response, at: at(2), [.send(second)])
        try expect(&queue, receiving: response, at: at(3), [.response(.init(2), response)])
        queue = twoRequests()
        let waited = queue.cancel(.init(2))
        #expect(waited)
        try expect(&queue, receiving: response, at: at(2), [.response(.init(1), response)])
    }

    @Test("All requests end with the connection, in order")
    func closingReturnsThePendingRequests() throws {
        var queue = twoRequests()
        let ended = queue.close()
        #expect(ended == [.init(1), .init(2)])
        try expect(&queue, receiving: response, at: at(2), [])
        expectDeadline(nil, queue)
    }
}
