import AccessoryModel
import AsyncPrimitives
import Discovery
import HAPCore
import HAPTransport
import NIOCore
import NIOEmbedded
import Testing

@testable import HAPController

/// The parts of a paired accessory as values.
@Suite struct AccessoryPartsTests {
    private static func id(_ iid: UInt64) throws -> CharacteristicID {
        CharacteristicID(aid: .primary, iid: try #require(InstanceID(iid)))
    }

    // MARK: The session

    private func session(_ number: UInt64) -> AccessorySession {
        AccessorySession(
            number: number,
            connection: AccessoryConnection(
                place: AccessoryPlace(host: "10.0.0.1", port: 1),
                channel: EmbeddedChannel(),
                handler: ControllerChannelHandler(host: "10.0.0.1:1", sessionLimits: .responses)
            ),
            requestTime: .seconds(10)
        )
    }

    private func join(_ link: inout SessionLink) throws -> (number: UInt64, isNew: Bool) {
        guard case .waiting(let opening, let isNew) = try link.join() else {
            throw ControllerError.closed
        }
        return (opening.number, isNew)
    }

    @Test func callersShareAnOpeningThatEndsWithTheLastOfThem() throws {
        var link = SessionLink()
        let (first, second) = (try join(&link), try join(&link))
        #expect(first == (1, true))
        #expect(second == (1, false))
        let abandoned = [link.leave(1), link.leave(1)].map { $0?.number }
        #expect(abandoned == [nil, 1])
        // The abandoned attempt may still fail, while another one is under way.
        let next = try join(&link)
        #expect(next == (2, true))
        let ends = [link.fail(1), link.fail(2)]
        #expect(ends == [false, true])
    }

    @Test func onlyThePresentSessionEnds() throws {
        var link = SessionLink()
        _ = try join(&link)
        link.begin(session(1))
        guard case .present(let present) = try link.join() else {
            Issue.record("the session is present")
            return
        }
        #expect(present.number == 1 && link.isPresent(present))
        let late = link.leave(1)
        #expect(late == nil)
        let ends = [2, 1, 1].map { link.end($0)?.number }
        #expect(ends == [nil, 1, nil])
        #expect(!link.isPresent(present))
    }

    @Test func aClosedLinkRefusesCallersAndReturnsWhatThereWas() throws {
        var link = SessionLink()
        _ = try join(&link)
        guard case .opening(let opening) = link.close() else {
            Issue.record("a session was being opened")
            return
        }
        #expect(link.isClosed && !link.isOpening(opening.number))
        #expect(throws: ControllerError.closed) { _ = try link.join() }
    }

    // MARK: The database

    struct Validity: Sendable {
        /// Where it was read, `nil` from the store; and the number with which it was read.
        let read: (session: UInt64?, number: UInt64?)
        /// Whether it counts in session 2 for each of these announced numbers: none, 5, 6.
        let counts: [Bool]
    }

    @Test(arguments: [
        Validity(read: (nil, 5), counts: [false, true, false]),
        Validity(read: (nil, nil), counts: [false, false, false]),
        Validity(read: (1, 5), counts: [false, true, false]),
        Validity(read: (1, nil), counts: [false, false, false]),
        Validity(read: (2, 5), counts: [true, true, false]),
        Validity(read: (2, nil), counts: [true, true, true]),
    ])
    func aDatabaseCountsForItsNumberOrElseForItsSession(_ validity: Validity) throws {
        var database = KnownDatabase()
        if let session = validity.read.session {
            _ = database.update(try Sample.home(), inSession: session, configurationNumber: validity.read.number)
        } else {
            database.restore(try Sample.home(), configurationNumber: validity.read.number)
        }
        let counts = [nil, 5, 6].map { database.accessories(inSession: 2, announced: $0) != nil }
        #expect(counts == validity.counts)
    }

    @Test func onlyAnotherStructureIsAChangeOfTheDatabase() throws {
        var database = KnownDatabase()
        var home = try Sample.home()
        let first = database.update(home, inSession: 2, configurationNumber: nil)
        home[0].services[0].characteristics[0].value = "Castle"
        let values = database.update(home, inSession: 2, configurationNumber: nil)
        home.removeLast()
        let late = database.update(home, inSession: 1, configurationNumber: nil)
        let structure = database.update(home, inSession: 2, configurationNumber: nil)
        #expect([first, values, late, structure] == [.same, .same, .outdated, .changed])
    }

    // MARK: Subscribers

    @Test func aSessionIsSubscribedToWhatItsSubscribersWantInParts() throws {
        var table = SubscriberTable()
        let ids = try (1...250).map(Self.id)
        let all = table.add(Subscriber(ids: Set(ids), limit: 1_000, byteLimit: .max))
        let few = table.add(Subscriber(ids: Set(ids.prefix(20)), limit: 1_000, byteLimit: .max))
        let parts = table.subscriptions(for: table.ids(of: [all, few]))
        #expect(parts.map(\.count) == [100, 100, 50])
        for part in parts {
            table.noteSubscription(to: part, besides: [ids[0]: -70_406])
        }
        #expect(table.subscriptions(for: ids) == [[ids[0]]])
        #expect(table.takeUnwanted().isEmpty)
        _ = table.remove(all)
        let unwanted = (0..<4).map { _ in table.takeUnwanted().count }
        #expect(unwanted == [100, 100, 30, 0])
        table.lose(.closed)
        #expect(table.subscriptions(for: table.ids(of: [few])).flatMap(\.self) == Array(ids.prefix(20)))
    }

    @Test func onlySubscribersThatHaveBegunAreNotifiedOfALoss() throws {
        var table = SubscriberTable()
        let id = try Self.id(9)
        let subscribers = (0..<2).map { _ in Subscriber(ids: [id], limit: 10, byteLimit: .max) }
        let numbers = subscribers.map { table.add($0) }
        #expect(table.begun.isEmpty)
        table.begin([numbers[0]], with: [], refused: [:])
        #expect(table.begun == [numbers[0]])
        table.receive(id, true)
        table.lose(.closed)
        let first = (0..<4).map { _ in subscribers[0].mailbox.take() }
        #expect(first == [.connected, .value(id, true), .disconnected(.closed), nil])
        #expect(subscribers[1].mailbox.take() == nil)
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

    @Test func theNextSessionIsOpenedWhereTheAccessoryIsAnnouncedAndNotWhereItWasSilent() {
        let (here, there) = (AccessoryPlace(host: "10.0.0.1", port: 1), AccessoryPlace(host: "10.0.0.2", port: 1))
        var announcements = Announcements(lastPlace: here)
        #expect(announcements.knownPlaces == [here])
        _ = announcements.receive(lamp([there.host]))
        #expect(announcements.knownPlaces.map(\.host) == [there.host, here.host])
        announcements.beginCheck(at: here)
        #expect(announcements.knownPlaces.map(\.host) == [there.host])
        let isStored = [announcements.found(at: there), announcements.found(at: there)]
        #expect(isStored == [true, false])
        _ = announcements.stop()
        #expect(announcements.knownPlaces == [there])
        let isLinkLocalStored = announcements.found(at: AccessoryPlace(host: "fe80::1%2", port: 1))
        #expect(!isLinkLocalStored)
    }

    @Test func aSessionIsCheckedOnceForEachOtherPlaceThatIsAnnounced() {
        let place = AccessoryPlace(host: "10.0.0.1", port: 1)
        var announcements = Announcements(lastPlace: place)
        let elsewhere = lamp(["10.0.0.2"])
        #expect(!announcements.isCheckNeeded(at: place, after: lamp(["10.0.0.2", "10.0.0.1"])))
        #expect(!announcements.isCheckNeeded(at: AccessoryPlace(host: "lamp.local", port: 1), after: elsewhere))
        #expect(announcements.isCheckNeeded(at: place, after: elsewhere))
        announcements.passCheck(after: elsewhere)
        #expect(!announcements.isCheckNeeded(at: place, after: elsewhere))
        #expect(announcements.isCheckNeeded(at: place, after: lamp(["10.0.0.3"])))
        announcements.sessionEnded()
        #expect(announcements.isCheckNeeded(at: place, after: elsewhere))
    }

    @Test func theFirstAnnouncementIsWaitedForUntilANumberIsKnown() {
        var announcements = Announcements(lastPlace: nil)
        #expect(announcements.expected == nil)
        announcements.begin(Task {}, timer: EmbeddedEventLoop().scheduleTask(in: .hours(1)) {})
        let expected = announcements.expected
        #expect(expected?.isSet == false)
        announcements.sessionBegan(at: AccessoryPlace(host: "10.0.0.1", port: 1, configurationNumber: 5))
        #expect(announcements.expected == nil && announcements.configurationNumber == 5)
        let ends = [announcements.receive(lamp([], number: 6)), announcements.stopWaiting()]
        #expect(ends.map { $0 != nil } == [true, false])
        ends[0]?.end()
        #expect(expected?.isSet == true)
        #expect(announcements.configurationNumber == 6)
        let listening = announcements.stop()
        #expect(listening != nil && announcements.listening == nil && announcements.configurationNumber == 5)
    }

    // MARK: Restoring

    @Test func aRequestDuringARoundAsksForOneMore() {
        var restorer = SessionRestorer(ReconnectMachine(shortest: .seconds(1), longest: .seconds(1)))
        let starts = [restorer.request(), restorer.request(), restorer.request()]
        #expect(starts == [true, false, false])
        let rounds = [restorer.endRound(isClosed: false), restorer.endRound(isClosed: false)]
        #expect(rounds == [true, false])
        // A session that comes within the round fulfills the requests before it.
        _ = (restorer.request(), restorer.request())
        restorer.fulfillRequests()
        let isRepeated = restorer.endRound(isClosed: false)
        #expect(!isRepeated)
        _ = (restorer.request(), restorer.request())
        let isRepeatedWhenClosed = restorer.endRound(isClosed: true)
        #expect(!isRepeatedWhenClosed)
    }
}
