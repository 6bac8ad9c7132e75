import HAPCore
import Testing

@testable import Discovery

struct NeighborhoodTests {
    private static let version4 = SeenService(name: "Lamp", interface: 2, family: 0)
    private static let version6 = SeenService(name: "Lamp", interface: 2, family: 1)
    private static let start = MonotonicInstant.zero

    @Test func aNameIsToldOnceAllItsPlacesHaveAnswered() {
        var neighborhood = Neighborhood()
        #expect(neighborhood.browseBegan() == [.tell(.available)])
        #expect(neighborhood.appeared(Self.version4, at: Self.start) == [.lookUp(Self.version4)])
        #expect(neighborhood.appeared(Self.version6, at: Self.start) == [.lookUp(Self.version6)])
        #expect(neighborhood.appeared(Self.version6, at: Self.start).isEmpty)
        #expect(neighborhood.lookedUp(Self.version6, found("fe80::1"), at: Self.start).isEmpty)
        let actions = neighborhood.lookedUp(Self.version4, found("192.0.2.1"), at: Self.start)
        #expect(actions == [.tell(.appeared(lamp(["192.0.2.1", "fe80::1%2"])))])
        #expect(neighborhood.sawAll(at: Self.start) == [.tell(.sawAll)])
    }

    @Test func aNameIsToldInTimeWhenAPlaceIsSilent() {
        var neighborhood = watching([Self.version4, Self.version6])
        _ = neighborhood.lookedUp(Self.version4, found("192.0.2.1"), at: Self.start)
        let deadline = Self.start.advanced(by: Neighborhood.patience)
        #expect(neighborhood.nextDeadline == deadline)
        #expect(neighborhood.advance(to: Self.start).isEmpty)
        #expect(neighborhood.advance(to: deadline) == [.tell(.appeared(lamp(["192.0.2.1"])))])
        #expect(neighborhood.nextDeadline == nil)
        #expect(neighborhood.sawAll(at: Self.start).isEmpty, "one place has neither answered nor failed")
        let actions = neighborhood.lookupFailed(Self.version6, at: deadline)
        #expect(actions == [.endLookup(Self.version6), .tell(.sawAll)])
    }

    @Test func anAnswerThatIsNewIsAChangeAndTheSameAgainIsNone() {
        var neighborhood = watching([Self.version4])
        let first = found("192.0.2.1")
        var second = first
        second.text = TXTRecord(wireBytes: Array("\u{4}sf=0".utf8))
        _ = neighborhood.lookedUp(Self.version4, first, at: Self.start)
        #expect(neighborhood.lookedUp(Self.version4, first, at: Self.start).isEmpty)
        let actions = neighborhood.lookedUp(Self.version4, second, at: Self.start)
        #expect(actions == [.tell(.changed(lamp(["192.0.2.1"], text: ["sf": "0"])))])
    }

    @Test func aNameIsGoneWithItsLastPlace() {
        var neighborhood = watching([Self.version4, Self.version6])
        _ = neighborhood.lookedUp(Self.version4, found("192.0.2.1"), at: Self.start)
        _ = neighborhood.lookedUp(Self.version6, found("2001:db8::1"), at: Self.start)
        _ = neighborhood.sawAll(at: Self.start)
        #expect(
            neighborhood.disappeared(Self.version4, at: Self.start) == [
                .endLookup(Self.version4), .tell(.changed(lamp(["2001:db8::1"]))),
            ]
        )
        #expect(
            neighborhood.disappeared(Self.version6, at: Self.start) == [
                .endLookup(Self.version6), .tell(.disappeared(lamp(["2001:db8::1"]))),
            ]
        )
        #expect(neighborhood.disappeared(Self.version6, at: Self.start).isEmpty)
    }

    @Test func whoeverDoesNotAnswerAnyMoreIsGoneAndAskedAgain() {
        var neighborhood = watching([Self.version4])
        _ = neighborhood.lookedUp(Self.version4, found("192.0.2.1"), at: Self.start)
        _ = neighborhood.sawAll(at: Self.start)
        let gone = neighborhood.lookupFailed(Self.version4, at: Self.start)
        #expect(gone == [.endLookup(Self.version4), .tell(.disappeared(lamp(["192.0.2.1"])))])
        let later = Self.start.advanced(by: Neighborhood.pause)
        #expect(neighborhood.nextDeadline == later)
        #expect(neighborhood.advance(to: later) == [.lookUp(Self.version4)])
        let back = neighborhood.lookedUp(Self.version4, found("192.0.2.2"), at: later)
        #expect(back == [.tell(.appeared(lamp(["192.0.2.2"])))])
    }

    @Test func onlyWhatDiffersIsToldWhenTheDaemonIsBack() {
        let other = SeenService(name: "Fan", interface: 2, family: 0)
        let third = SeenService(name: "Door", interface: 2, family: 0)
        var neighborhood = watching([Self.version4, other, third])
        for service in [Self.version4, other, third] {
            _ = neighborhood.lookedUp(service, found("192.0.2.1", name: service.name), at: Self.start)
        }
        _ = neighborhood.sawAll(at: Self.start)
        let error = DiscoveryError.noDaemon.whenLooking
        #expect(neighborhood.cannotLook(error) == [.tell(.unavailable(error))])
        #expect(neighborhood.cannotLook(error).isEmpty)
        #expect(neighborhood.lookedUp(other, found("192.0.2.9"), at: Self.start).isEmpty, "what it was asked before")

        #expect(neighborhood.browseBegan() == [.tell(.available)])
        _ = neighborhood.appeared(Self.version4, at: Self.start)
        _ = neighborhood.appeared(other, at: Self.start)
        #expect(neighborhood.lookedUp(Self.version4, found("192.0.2.1"), at: Self.start).isEmpty)
        let moved = accessory("Fan", ["192.0.2.7"])
        #expect(
            neighborhood.lookedUp(other, found("192.0.2.7", name: "Fan"), at: Self.start) == [.tell(.changed(moved))]
        )
        let door = accessory("Door", ["192.0.2.1"])
        #expect(neighborhood.sawAll(at: Self.start) == [.tell(.sawAll)], "a young daemon has asked once only")
        let deadline = Self.start.advanced(by: Neighborhood.patienceForReturn)
        #expect(neighborhood.nextDeadline == deadline)
        #expect(neighborhood.advance(to: deadline) == [.tell(.disappeared(door))])
        #expect(neighborhood.nextDeadline == nil)
        #expect(
            neighborhood.presence == [
                .appeared(moved), .appeared(lamp(["192.0.2.1"])), .available, .sawAll,
            ]
        )
    }

    /// Observed with Avahi 0.8: who has answered somebody else a moment before leaves a young daemon's first question
    /// unanswered, so that everything was told before it is found.
    @Test func whoAnswersAYoungDaemonLateHasChangedAndNeverGone() {
        var neighborhood = watching([Self.version4])
        _ = neighborhood.lookedUp(Self.version4, found("192.0.2.1"), at: Self.start)
        _ = neighborhood.sawAll(at: Self.start)
        _ = neighborhood.cannotLook(DiscoveryError.noDaemon.whenLooking)
        _ = neighborhood.browseBegan()
        #expect(neighborhood.sawAll(at: Self.start) == [.tell(.sawAll)])
        #expect(neighborhood.appeared(Self.version4, at: Self.start) == [.lookUp(Self.version4)])
        var answer = found("192.0.2.1")
        answer.text = TXTRecord(wireBytes: Array("\u{4}sf=1".utf8))
        let changed = lamp(["192.0.2.1"], text: ["sf": "1"])
        #expect(neighborhood.lookedUp(Self.version4, answer, at: Self.start) == [.tell(.changed(changed))])
        let deadline = Self.start.advanced(by: Neighborhood.patienceForReturn)
        #expect(neighborhood.advance(to: deadline).isEmpty)
        let goodbye = neighborhood.disappeared(Self.version4, at: deadline)
        #expect(goodbye == [.endLookup(Self.version4), .tell(.disappeared(changed))])
    }

    @Test func lookupsBeyondTheLimitTakeTurns() throws {
        var neighborhood = Neighborhood()
        _ = neighborhood.browseBegan()
        let services = (0...Neighborhood.maximumLookups).map { SeenService(name: "\($0)", interface: 1, family: 0) }
        let last = try #require(services.last)
        for service in services.dropLast() {
            #expect(neighborhood.appeared(service, at: Self.start) == [.lookUp(service)])
        }
        #expect(neighborhood.appeared(last, at: Self.start).isEmpty)
        let actions = neighborhood.lookedUp(services[7], found("192.0.2.1", name: "7"), at: Self.start)
        #expect(actions == [.tell(.appeared(accessory("7", ["192.0.2.1"]))), .endLookup(services[7]), .lookUp(last)])
        // Nothing has answered since that could make room.
        let later = Self.start.advanced(by: Neighborhood.pause)
        #expect(neighborhood.advance(to: later).isEmpty)
        _ = neighborhood.lookedUp(last, found("192.0.2.1", name: last.name), at: later)
        #expect(neighborhood.presence.count == 3, "two of them, and that the daemon answers")
    }

    @Test func aLookupThatIsDueWaitsWithoutADeadlineUntilThereIsRoom() {
        let first = SeenService(name: "first", interface: 1, family: 0)
        var neighborhood = watching([first])
        _ = neighborhood.lookupFailed(first, at: Self.start)
        let others = (0..<Neighborhood.maximumLookups).map { SeenService(name: "\($0)", interface: 1, family: 0) }
        for service in others {
            #expect(neighborhood.appeared(service, at: Self.start) == [.lookUp(service)])
        }
        let later = Self.start.advanced(by: Neighborhood.pause)
        #expect(neighborhood.advance(to: later).isEmpty, "all lookups are open, and none is answered")
        #expect(neighborhood.nextDeadline == nil, "it would be called at once, again and again")
        let actions = neighborhood.lookedUp(others[0], found("192.0.2.1", name: "0"), at: later)
        #expect(actions.contains(.lookUp(first)))
    }

    @Test func aFloodOfForgedNamesTakesBoundedRoomAndWork() {
        var neighborhood = Neighborhood()
        _ = neighborhood.browseBegan()
        var open: Set<SeenService> = []
        var mostOpen = 0
        var work = 0
        func perform(_ actions: [Neighborhood.Action]) {
            work += actions.count
            for action in actions {
                switch action {
                case .lookUp(let service): open.insert(service)
                case .endLookup(let service): open.remove(service)
                case .tell: break
                }
            }
            mostOpen = max(mostOpen, open.count)
        }
        let names = 10_000
        let rounds = 4
        for round in 0..<rounds {
            for number in 0..<names {
                let service = SeenService(name: "\(round) \(number)", interface: Int32(number % 2), family: 0)
                perform(neighborhood.appeared(service, at: Self.start))
                // Some answer, some fail, most do neither; all go again.
                switch number % 16 {
                case 0 where open.contains(service):
                    perform(neighborhood.lookedUp(service, found("192.0.2.1", name: service.name), at: Self.start))
                case 1 where open.contains(service): perform(neighborhood.lookupFailed(service, at: Self.start))
                default: break
                }
            }
            for number in 0..<names {
                let service = SeenService(name: "\(round) \(number)", interface: Int32(number % 2), family: 0)
                perform(neighborhood.disappeared(service, at: Self.start))
            }
        }
        #expect(mostOpen <= Neighborhood.maximumLookups)
        #expect(open.isEmpty)
        #expect(neighborhood.queueLength <= 4 * Neighborhood.maximumSightings)
        #expect(work <= 4 * names * rounds)
        #expect(neighborhood.presence == [.available])
    }

    @Test func whoAppearsAndGoesBeforeEverythingWasSeenIsForgottenAtOnce() {
        var neighborhood = watching([Self.version4])
        _ = neighborhood.lookedUp(Self.version4, found("192.0.2.1"), at: Self.start)
        let actions = neighborhood.disappeared(Self.version4, at: Self.start)
        #expect(actions == [.endLookup(Self.version4), .tell(.disappeared(lamp(["192.0.2.1"])))])
        #expect(neighborhood.presence == [.available])
    }

    @Test func namesArePassedOverBeyondTheLimits() {
        var neighborhood = Neighborhood()
        _ = neighborhood.browseBegan()
        let long = SeenService(name: String(repeating: "n", count: 256), interface: 1, family: 0)
        #expect(neighborhood.appeared(long, at: Self.start).isEmpty)
        for number in 0..<Neighborhood.maximumServices {
            _ = neighborhood.appeared(SeenService(name: "\(number)", interface: 1, family: 0), at: Self.start)
        }
        _ = neighborhood.appeared(Self.version4, at: Self.start)
        #expect(neighborhood.disappeared(Self.version4, at: Self.start).isEmpty)
        for number in 0..<Neighborhood.maximumServices {
            _ = neighborhood.disappeared(SeenService(name: "\(number)", interface: 1, family: 0), at: Self.start)
        }
        #expect(neighborhood.appeared(Self.version4, at: Self.start) == [.lookUp(Self.version4)])
        #expect(neighborhood.sawAll(at: Self.start).isEmpty)
    }

    private func watching(_ services: [SeenService]) -> Neighborhood {
        var neighborhood = Neighborhood()
        _ = neighborhood.browseBegan()
        for service in services {
            _ = neighborhood.appeared(service, at: Self.start)
        }
        return neighborhood
    }

    private func found(_ address: String, name: String = "Lamp") -> FoundService {
        FoundService(name: name, host: "lamp.local", address: address, port: 80, text: TXTRecord())
    }

    private func lamp(_ addresses: [String], text: [String: String] = [:]) -> DiscoveredAccessory {
        accessory("Lamp", addresses, text: text)
    }

    private func accessory(
        _ name: String,
        _ addresses: [String],
        text: [String: String] = [:]
    ) -> DiscoveredAccessory {
        DiscoveredAccessory(name: name, host: "lamp.local", addresses: addresses, port: 80, text: text)
    }
}
