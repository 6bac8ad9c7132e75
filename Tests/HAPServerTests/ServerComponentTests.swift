import AccessoryModel
import HAPCore
import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import HAPServer

/// The parts of a server as values, in simulated time.
@Suite struct ServerComponentTests {
    private static let id = ConnectionID(1)
    private static let kind = HandlerID(
        characteristic: CharacteristicID(aid: .primary, iid: .accessoryInformation),
        isWrite: true
    )

    // MARK: Turns

    @Test func sessionPrecedesUnverifiedConnectionInTheQueue() {
        var turns = DeferredWorkQueue()
        let now = MonotonicInstant.zero
        turns.recordUnverifiedWork(from: now.advanced(by: .milliseconds(-100)), to: now)
        #expect(turns.isUnverifiedDeferred(at: now))
        let late = turns.add(.resumeChannel(of: Self.id), isSession: false, at: now)
        #expect(late?.delay == .milliseconds(100))
        let soon = turns.add(.events, isSession: true, at: now)
        #expect(soon?.delay == UnverifiedRateLimiter.minimumPause)
        let third = turns.add(.events, isSession: true, at: now)
        #expect(third == nil)
        // The later timer replaced the earlier one, which still fires but has no effect.
        let begun = [late, soon].compactMap(\.self).map { turns.timerFired($0.number) }
        #expect(begun == [false, true])
        guard case .events = turns.dequeueSession(), turns.dequeueUnverified(at: now) == nil else {
            Issue.record("a session's turn is first")
            return
        }
        guard case .resumeChannel = turns.dequeueUnverified(at: now.advanced(by: .milliseconds(100))) else {
            Issue.record("the unverified turn has its time later")
            return
        }
    }

    @Test func onlyAQueuedCompositionIsInProgress() {
        var turns = DeferredWorkQueue()
        #expect(!turns.isComposing)
        _ = turns.add(.events, isSession: true, at: .zero)
        #expect(!turns.isComposing)
        _ = turns.add(.accessories(of: Self.id, turns: 1), isSession: true, at: .zero)
        #expect(turns.isComposing)
        _ = (turns.dequeueSession(), turns.dequeueSession())
        #expect(!turns.isComposing)
    }

    // MARK: Connections

    /// Returns a connection from host 192.0.2.`host`, opened at a number of seconds.
    ///
    /// With a `controller`, the connection has a session.
    private static func connection(
        _ number: UInt64,
        host: Int,
        at seconds: Int,
        controller: String? = nil
    ) throws -> ServerConnection {
        let (channel, handler, _) = try EmbeddedChannel.serving()
        // Only a closed channel is released.
        defer { _ = try? channel.finish() }
        let connection = ServerConnection(
            id: ConnectionID(number),
            peer: try SocketAddress(ipAddress: "192.0.2.\(host)", port: 1),
            channel: handler,
            identity: Fixture.accessory,
            verifier: Fixture.verifier,
            openedAt: .zero.advanced(by: .seconds(seconds))
        )
        connection.session = controller.map { .init(controller: Fixture.identifier($0), isAdmin: false) }
        return connection
    }

    @Test func closingOrderBeyondTheLimitIsAsSpecified() throws {
        let soon = MonotonicInstant.zero.advanced(by: .seconds(100))
        let muchLater = MonotonicInstant.zero.advanced(by: .seconds(4_000))
        let strangers = [
            try Self.connection(1, host: 1, at: 0), try Self.connection(2, host: 2, at: 2),
            try Self.connection(3, host: 2, at: 1),
        ]
        let sessions = [
            try Self.connection(4, host: 3, at: 3, controller: "a"),
            try Self.connection(5, host: 4, at: 0, controller: "b"),
            try Self.connection(6, host: 4, at: 4, controller: "b"),
        ]
        let newcomer = try Self.connection(7, host: 5, at: 100)
        let cases: [(others: [ServerConnection], limit: Int, pairing: UInt64?, at: MonotonicInstant, closes: UInt64?)] =
            [
                (strangers, 4, nil, soon, nil),
                // Of the connections without a session, the longest idle one of the host with the most connections.
                (strangers, 3, nil, soon, 3),
                (strangers, 3, 3, soon, 2),
                (sessions + [strangers[0]], 4, nil, muchLater, 1),
                // A session that has been idle for an hour, or one of a controller with more than half of the limit.
                (sessions, 3, nil, muchLater, 5),
                (sessions, 3, nil, soon, 5),
                (Array(sessions.prefix(2)), 2, nil, soon, 7),
            ]
        for (index, expected) in cases.enumerated() {
            var table = ConnectionTable()
            for connection in expected.others + [newcomer] { table.add(connection) }
            let pairing = expected.pairing.map { ConnectionID($0) }
            let closing = table.connectionToClose(
                beyond: expected.limit,
                for: newcomer,
                pairing: pairing,
                at: expected.at
            )
            #expect(closing?.id.rawValue == expected.closes, "case \(index)")
        }
    }

    // MARK: Events

    @Test func connectionIsQueuedOnceForEventsAndTheQueueTakesOneTurn() {
        var line = EventSendQueue()
        let ids = [1, 2, 1].map { ConnectionID($0) }
        #expect(ids.map { line.enqueue($0) } == [true, false, false])
        #expect(line.contains(ids[0]))
        #expect([line.dequeue(), line.dequeue(), line.dequeue()] == [ids[0], ids[1], nil])
        #expect(line.isEmpty && !line.contains(ids[0]))
    }

    // MARK: Handlers

    @Test func overdueHandlerIsBusyUntilItReturns() throws {
        var calls = HandlerCalls()
        let limits = HandlerLimits(maximumConcurrentCalls: 2)
        let operation = HandlerOperation(.reader(Self.id, []))
        let numbers = (0..<3).map { _ in calls.begin(Self.kind, at: 0, of: operation, limits) }
        #expect(numbers.map { $0 == nil } == [false, false, true])
        #expect(operation.remaining == 2)
        let (first, second) = (try #require(numbers[0]), try #require(numbers[1]))
        let returned = calls.end(second)
        #expect(returned?.operation === operation)
        let (late, later) = (calls.timeOut(first), calls.timeOut(first))
        #expect(late?.operation === operation)
        #expect(later == nil)
        let busy = calls.begin(Self.kind, at: 0, of: operation, limits)
        #expect(busy == nil)
        let overdue = calls.end(first)
        #expect(overdue != nil && overdue?.operation == nil)
        let next = calls.begin(Self.kind, at: 0, of: operation, limits)
        #expect(next != nil)
    }

    @Test func onlyRequestsOfOpenConnectionsAreAwaited() {
        var calls = HandlerCalls()
        #expect(!calls.isRequestWaiting { _ in true })
        _ = calls.begin(Self.kind, at: 0, of: HandlerOperation(.reader(Self.id, [])), HandlerLimits())
        #expect(calls.isRequestWaiting { $0 == Self.id })
        #expect(!calls.isRequestWaiting { _ in false })
        #expect(calls.isWriting(Self.kind.characteristic))
        let given = calls.removeAll()
        #expect(given.map(\.handler) == [Self.kind])
        #expect(!calls.isRequestWaiting { _ in true })
    }

    @Test func handlerWithoutARequestRunsOnceAtATime() {
        var calls = HandlerCalls()
        let begun = [calls.beginDetached(Self.kind), calls.beginDetached(Self.kind)]
        #expect(begun == [true, false])
        calls.endDetached(Self.kind)
        let isFree = calls.beginDetached(Self.kind)
        #expect(isFree)
    }

    // MARK: Polls

    @Test func outdatedPollResultIsIgnoredAndTheFirstFailureOfARunIsReported() throws {
        let key = CharacteristicKey(accessory: "lamp", service: ServiceKey(.lightbulb), type: .on)
        let source = PolledValue(period: .seconds(1)) { nil }
        var polls = PollTable()
        let keys = polls.begin([key: source])
        #expect(keys == [key])
        let old = polls.beginRead(key)
        _ = (polls.removeAll(), polls.begin([key: source]))
        #expect(polls.isInvalidated(key, round: try #require(old).round) == nil)
        let question = polls.beginRead(key)
        let round = try #require(question).round
        #expect(polls.isInvalidated(key, round: round) == false)
        polls.invalidate { $0 == key }
        #expect(polls.isInvalidated(key, round: round) == true)
        let reports = [true, true, false, true].map { polls.recordResult(isFailing: $0, of: key) }
        #expect(reports == [true, false, false, true])
        _ = polls.removeAll()
        let none = polls.beginRead(key)
        #expect(none == nil)
    }

    // MARK: Time and storage

    @Test func aLaterDeadlineDoesNotMoveTheTimer() {
        let loop = EmbeddedEventLoop()
        // A loop with a scheduled task is not released.
        defer { try? loop.syncShutdownGracefully() }
        var timer = BehaviorTimer(BehaviorClock())
        let replaced = [5, 7, 3]
            .map { seconds -> Bool? in
                guard let deadline = timer.deadlineToSet(for: .zero.advanced(by: .seconds(seconds))) else { return nil }
                return timer.set(loop.scheduleTask(in: .seconds(1)) {}, for: deadline) != nil
            }
        #expect(replaced == [false, nil, true])
        timer.clock.pause(at: .zero)
        timer.take()
        #expect(timer.deadlineToSet(for: .zero.advanced(by: .seconds(1))) == nil)
    }

    @Test func unstoredValuesAreSavedAgain() {
        var values = UnsavedValues()
        let early = values.schedule()
        values.insert(Self.kind.characteristic)
        let due = [early, values.schedule(), values.schedule()]
        #expect(due == [false, true, false])
        values.timerFired()
        let (taken, rest) = (values.take(), values.take())
        #expect(taken == [Self.kind.characteristic])
        #expect(rest.isEmpty)
        values.restore(taken)
        let again = values.schedule()
        #expect(again)
    }

    @Test func valuesAndConditionsWaitOnce() {
        var work = WaitingWork(maximumRequests: 2)
        for kind in [ServerWork.saveValues, .applyConditions(nil)] {
            let first = [work.add(kind), work.add(kind), work.add(kind)]
            #expect(first == [.enqueue, .isWaiting, .isWaiting])
            _ = work.next()
            let later = work.add(kind)
            #expect(later == .enqueue)
            _ = work.next()
            #expect(work.next() == nil)
        }
    }

    @Test func waitingPairingsRequestsAreLimited() {
        var work = WaitingWork(maximumRequests: 2)
        let requests = (1...3).map { ServerWork.managePairings([], from: ConnectionID($0)) }
        let first = requests.map { work.add($0) }
        #expect(first == [.enqueue, .enqueue, .refuse])
        let others = [work.add(.prepareServerKey), work.add(.persist(.removeAll, for: nil))]
        #expect(others == [.enqueue, .enqueue])
        _ = work.next()
        let later = [work.add(requests[2]), work.add(requests[0])]
        #expect(later == [.enqueue, .refuse])
    }

    @Test func keyIsMadeOnceAndDroppedAfterPairing() {
        var key = PreparedServerKey()
        let first = [key.beginPreparation(isPaired: false), key.beginPreparation(isPaired: false)]
        #expect(first == [true, false])
        key.finishPreparation(nil)
        let later = [key.beginPreparation(isPaired: true), key.beginPreparation(isPaired: false)]
        #expect(later == [false, true])
    }
}
