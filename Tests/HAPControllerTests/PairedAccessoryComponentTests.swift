import AccessoryModel
import AsyncPrimitives
import Discovery
import HAPCore
import NIOCore
import NIOEmbedded
import Testing

@testable import HAPController

/// Tests the parts of a paired accessory, which are value types.
@Suite struct PairedAccessoryComponentTests {
    private static func id(_ iid: UInt64) throws -> CharacteristicID {
        CharacteristicID(aid: .primary, iid: try #require(InstanceID(iid)))
    }

    // MARK: The session

    private func session(_ number: UInt64) -> AccessorySession {
        let channel = EmbeddedChannel()
        // Only a closed channel is released.
        _ = try? channel.finish()
        return AccessorySession(
            number: number,
            connection: AccessoryConnection(
                endpoint: AccessoryEndpoint(host: "10.0.0.1", port: 1),
                channel: channel,
                handler: ControllerChannelHandler(host: "10.0.0.1:1", sessionLimits: .responses)
            ),
            requestTime: .seconds(10)
        )
    }

    private func join(_ link: inout SessionLink) throws -> (number: UInt64, isNew: Bool) {
        guard case .opening(let opening, let isNew) = try link.join() else {
            throw ControllerError.closed
        }
        return (opening.number, isNew)
    }

    @Test func callersShareAnOpeningThatIsCancelledWithTheLastCaller() throws {
        var link = SessionLink()
        let (first, second) = (try join(&link), try join(&link))
        #expect(first == (1, true))
        #expect(second == (1, false))
        let abandoned = [link.leave(1), link.leave(1)].map { $0?.number }
        #expect(abandoned == [nil, 1])
        // The abandoned attempt may still fail while another one is in progress.
        let next = try join(&link)
        #expect(next == (2, true))
        let ends = [link.fail(1), link.fail(2)]
        #expect(ends == [false, true])
    }

    @Test func onlyTheCurrentSessionEnds() throws {
        var link = SessionLink()
        _ = try join(&link)
        link.setSession(session(1))
        guard case .open(let present) = try link.join() else {
            Issue.record("expected an open session")
            return
        }
        #expect(present.number == 1 && link.isCurrent(present))
        let late = link.leave(1)
        #expect(late == nil)
        let ends = [2, 1, 1].map { link.removeSession($0)?.number }
        #expect(ends == [nil, 1, nil])
        #expect(!link.isCurrent(present))
    }

    @Test func closedLinkRefusesCallersAndReturnsItsSession() throws {
        var link = SessionLink()
        _ = try join(&link)
        guard case .opening(let opening) = link.close() else {
            Issue.record("expected a session that is being opened")
            return
        }
        #expect(link.isClosed && !link.isOpening(opening.number))
        #expect(throws: ControllerError.closed) { _ = try link.join() }
    }

    // MARK: The database

    struct Validity: Sendable {
        /// The session in which the database was read (`nil` if it is from the store), and its configuration number.
        let origin: (session: UInt64?, number: UInt64?)
        /// Whether the database is valid in session 2 if no number, 5 or 6 is announced.
        let isValid: [Bool]
    }

    @Test(arguments: [
        Validity(origin: (nil, 5), isValid: [false, true, false]),
        Validity(origin: (nil, nil), isValid: [false, false, false]),
        Validity(origin: (1, 5), isValid: [false, true, false]),
        Validity(origin: (1, nil), isValid: [false, false, false]),
        Validity(origin: (2, 5), isValid: [true, true, false]),
        Validity(origin: (2, nil), isValid: [true, true, true]),
    ])
    func databaseIsValidForItsConfigurationNumberElseForItsSession(_ validity: Validity) throws {
        var database = DatabaseCache()
        if let session = validity.origin.session {
            _ = database.update(try Sample.home(), inSession: session, configurationNumber: validity.origin.number)
        } else {
            database.load(try Sample.home(), configurationNumber: validity.origin.number)
        }
        let counts = [nil, 5, 6].map { database.accessories(inSession: 2, announced: $0) != nil }
        #expect(counts == validity.isValid)
    }

    @Test func onlyAnotherStructureIsADatabaseChange() throws {
        var database = DatabaseCache()
        var home = try Sample.home()
        let first = database.update(home, inSession: 2, configurationNumber: nil)
        home[0].services[0].characteristics[0].value = "Castle"
        let values = database.update(home, inSession: 2, configurationNumber: nil)
        home.removeLast()
        let late = database.update(home, inSession: 1, configurationNumber: nil)
        let structure = database.update(home, inSession: 2, configurationNumber: nil)
        #expect([first, values, late, structure] == [.unchanged, .unchanged, .outdated, .changed])
    }

    // MARK: Subscribers

    @Test func sessionSubscribesToTheUnionOfItsSubscribers() throws {
        var table = SubscriberTable()
        let ids = try (1...250).map(Self.id)
        let all = table.add(Subscriber(ids: Set(ids), limit: 1_000, byteLimit: .max))
        let few = table.add(Subscriber(ids: Set(ids.prefix(20)), limit: 1_000, byteLimit: .max))
        #expect(table.missingSubscriptions(for: table.ids(of: [all, few])) == ids)
        table.recordSubscription(to: ids, except: [ids[0]: -70_406])
        #expect(table.missingSubscriptions(for: ids) == [ids[0]])
        #expect(table.unwantedSubscriptions.isEmpty)
        _ = table.remove(all)
        #expect(table.unwantedSubscriptions == Array(ids.dropFirst(20)))
        table.recordEnd(ofSubscriptionsTo: Array(ids[20..<50]))
        #expect(table.unwantedSubscriptions == Array(ids.dropFirst(50)))
        table.sessionDidEnd(.closed)
        #expect(table.missingSubscriptions(for: table.ids(of: [few])) == Array(ids.prefix(20)))
    }

    // MARK: The sizes of requests

    @Test func largestRequestHas1023BytesAnd49Characteristics() throws {
        let limits = RequestLimits()
        let ids = try (1...100).map { try #require(CharacteristicID(1_000_000_000, UInt64(1_000_000_000_000 + $0))) }
        let long = RequestPart(reading: ids, host: "10.0.0.1", within: limits)
        let request = HTTPRequest(
            .get,
            .characteristics,
            query: CharacteristicReadRequest(ids.prefix(long.itemCount).map(CharacteristicAddress.init)).query
        )
        // Before the first id there is no comma.
        #expect(Self.byteCount(of: request) == long.byteCount - 1)
        #expect(970...1_023 ~= long.byteCount)
        let short = RequestPart(reading: try (1...100).map(Self.id), host: "10.0.0.1", within: limits)
        #expect(short.itemCount == 49)
    }

    @Test(arguments: [false, true])
    func writesToOneAccessoryStayTogether(isTimed: Bool) throws {
        var limits = RequestLimits()
        let items = (1...6)
            .flatMap { aid in
                (1...8).map { CharacteristicWriteItem(CharacteristicAddress(aid: aid, iid: $0), value: 1) }
            }
        let part = RequestPart(writing: items[...], isTimed: isTimed, host: "10.0.0.1", within: limits)
        #expect(part.itemCount == 24)
        let written = CharacteristicWriteRequest(Array(items.prefix(part.itemCount)), pid: isTimed ? 1 << 52 : nil)
        let size = Self.byteCount(of: HTTPRequest(.put, .characteristics, body: written.body))
        #expect(part.byteCount - 2...part.byteCount ~= size)
        let one = RequestPart(subscribing: items[...], host: "10.0.0.1", within: limits)
        #expect(one.itemCount == 8)
        // The writes to an accessory that do not fit into one request are divided.
        let isSmaller = limits.requestFailed(part)
        #expect(isSmaller)
        let divided = RequestPart(writing: items[...], isTimed: isTimed, host: "10.0.0.1", within: limits)
        #expect(1..<8 ~= divided.itemCount && divided.byteCount <= limits.byteCount)
    }

    @Test func limitsFollowWhatTheAccessoryAnswers() throws {
        var limits = RequestLimits()
        let ids = try (1...49).map(Self.id)
        let read = RequestPart(reading: ids, host: "10.0.0.1", within: limits)
        var isSmaller = [limits.readWasRefused(read)]
        #expect(limits.readCount == 24 && limits.byteCount == 1_023)
        isSmaller.append(limits.requestFailed(read))
        #expect(limits.byteCount == 256)
        let small = RequestPart(reading: ids, host: "10.0.0.1", within: limits)
        #expect(small.byteCount <= 256 && small.itemCount > 1)
        // Another large request that was sent earlier does not raise the limits.
        isSmaller.append(limits.readWasRefused(read))
        #expect(limits.readCount == 24)
        // A single item cannot be divided.
        let single = RequestPart(reading: ids.prefix(1), host: "10.0.0.1", within: limits)
        isSmaller.append(limits.readWasRefused(single))
        // If a small request is not answered either, its size is not the reason.
        isSmaller.append(limits.requestFailed(small))
        #expect(limits.byteCount == 1_023)
        #expect(isSmaller == [true, true, true, false, false])
        // A value that fits into no smaller request shows that the accessory answers larger ones.
        let text = JSONValue.string(String(repeating: "x", count: 3_000))
        let item = CharacteristicWriteItem(CharacteristicAddress(ids[0]), value: text)
        let large = RequestPart(writing: [item], isTimed: false, host: "10.0.0.1", within: limits)
        #expect(large.itemCount == 1)
        limits.didAnswer(large)
        #expect(limits.byteCount > 3_000)
    }

    private static func byteCount(of request: HTTPRequest) -> Int {
        var bytes: [UInt8] = []
        request.append(to: &bytes, host: "10.0.0.1")
        return bytes.count
    }

    @Test func onlyStartedSubscribersAreNotifiedOfALostSession() throws {
        var table = SubscriberTable()
        let id = try Self.id(9)
        let subscribers = (0..<2).map { _ in Subscriber(ids: [id], limit: 10, byteLimit: .max) }
        let numbers = subscribers.map { table.add($0) }
        #expect(table.startedNumbers.isEmpty)
        table.sessionDidStart(for: [numbers[0]], with: [], refused: [:])
        #expect(table.startedNumbers == [numbers[0]])
        table.receive(id, true)
        table.sessionDidEnd(.closed)
        let first = (0..<4).map { _ in subscribers[0].mailbox.dequeue() }
        #expect(first == [.connected, .value(id, true), .disconnected(.closed), nil])
        #expect(subscribers[1].mailbox.dequeue() == nil)
    }

    // MARK: Announcements

    private func lamp(_ addresses: [String], number: UInt32? = nil) -> DiscoveredAccessory {
        DiscoveredAccessory(
            name: "Lamp",
            host: "Lamp.local.",
            addresses: addresses,
            port: 1,
            text: number.map { ["c#": "\($0)"] } ?? [:]
        )
    }

    @Test func nextSessionOpensAtTheAnnouncedEndpointNotAtTheUnresponsiveOne() {
        let (here, there) = (AccessoryEndpoint(host: "10.0.0.1", port: 1), AccessoryEndpoint(host: "10.0.0.2", port: 1))
        var announcements = Announcements(lastEndpoint: here)
        #expect(announcements.knownEndpoints == [here])
        _ = announcements.receive(lamp([there.host]))
        #expect(announcements.knownEndpoints.map(\.host) == [there.host, here.host])
        announcements.checkDidStart(at: here)
        #expect(announcements.knownEndpoints.map(\.host) == [there.host])
        let isStored = [announcements.recordEndpoint(there), announcements.recordEndpoint(there)]
        #expect(isStored == [true, false])
        _ = announcements.stop()
        #expect(announcements.knownEndpoints == [there])
        let isLinkLocalStored = announcements.recordEndpoint(AccessoryEndpoint(host: "fe80::1%2", port: 1))
        #expect(!isLinkLocalStored)
    }

    @Test func sessionIsCheckedOnceForEachOtherAnnouncedEndpoint() {
        let endpoint = AccessoryEndpoint(host: "10.0.0.1", port: 1)
        var announcements = Announcements(lastEndpoint: endpoint)
        let elsewhere = lamp(["10.0.0.2"])
        #expect(!announcements.isCheckNeeded(at: endpoint, after: lamp(["10.0.0.2", "10.0.0.1"])))
        #expect(!announcements.isCheckNeeded(at: AccessoryEndpoint(host: "lamp.local", port: 1), after: elsewhere))
        #expect(announcements.isCheckNeeded(at: endpoint, after: elsewhere))
        announcements.checkDidPass(after: elsewhere)
        #expect(!announcements.isCheckNeeded(at: endpoint, after: elsewhere))
        #expect(announcements.isCheckNeeded(at: endpoint, after: lamp(["10.0.0.3"])))
        announcements.sessionDidEnd()
        #expect(announcements.isCheckNeeded(at: endpoint, after: elsewhere))
    }

    @Test func firstAnnouncementIsAwaitedUntilANumberIsKnown() {
        let loop = EmbeddedEventLoop()
        // A loop with a scheduled task is not released.
        defer { try? loop.syncShutdownGracefully() }
        var announcements = Announcements(lastEndpoint: nil)
        #expect(announcements.pendingFirstAnnouncement == nil)
        announcements.startListening(Task {}, timer: loop.scheduleTask(in: .hours(1)) {})
        let expected = announcements.pendingFirstAnnouncement
        #expect(expected?.isSet == false)
        announcements.sessionDidStart(at: AccessoryEndpoint(host: "10.0.0.1", port: 1, configurationNumber: 5))
        #expect(announcements.pendingFirstAnnouncement == nil && announcements.configurationNumber == 5)
        let ends = [announcements.receive(lamp([], number: 6)), announcements.stopWaiting()]
        #expect(ends.map { $0 != nil } == [true, false])
        ends[0]?.finish()
        #expect(expected?.isSet == true)
        #expect(announcements.configurationNumber == 6)
        let listening = announcements.stop()
        #expect(listening != nil && announcements.listener == nil && announcements.configurationNumber == 5)
    }

    // MARK: Restoring

    @Test func requestDuringARoundRequestsOneMore() {
        var restorer = SessionReconnector(ReconnectMachine(shortest: .seconds(1), longest: .seconds(1)))
        let starts = [restorer.requestRound(), restorer.requestRound(), restorer.requestRound()]
        #expect(starts == [true, false, false])
        let rounds = [restorer.endRound(isClosed: false), restorer.endRound(isClosed: false)]
        #expect(rounds == [true, false])
        // A session that opens within the round fulfills the earlier requests.
        _ = (restorer.requestRound(), restorer.requestRound())
        restorer.markRequestsFulfilled()
        let isRepeated = restorer.endRound(isClosed: false)
        #expect(!isRepeated)
        _ = (restorer.requestRound(), restorer.requestRound())
        let isRepeatedWhenClosed = restorer.endRound(isClosed: true)
        #expect(!isRepeatedWhenClosed)
    }
}
