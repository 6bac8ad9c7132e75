import Discovery
import HAPCore
import Testing

/// The services of a process are compared with what a browse and lookups tell.
struct SelfCheckTests {
    private static let one = ServiceID(1)
    private static let two = ServiceID(2)
    private static let lamp = service("Lamp")

    @Test func aServiceThatIsThereIsLookedUpAfterTwoSecondsAndThenOnceAMinute() {
        var check = WatchedCheck()
        #expect(check.expect(Self.lamp) == [])
        #expect(check.appeared("Lamp") == [])
        for wait in [2, 60, 60] {
            #expect(check.wait() == .seconds(wait))
            #expect(check.advance() == [.lookUp(name: "Lamp")])
            #expect(check.found(Self.lamp) == [.endLookup, .report(Self.one, .found)])
        }
    }

    @Test func aServiceThatDoesNotAppearIsMissedOnceAndFoundWhenItDoes() {
        var check = WatchedCheck()
        #expect(check.expect(Self.lamp) == [])
        #expect(check.wait() == .seconds(4))
        #expect(check.advance() == [.report(Self.one, .missed(.notFound))])
        #expect(check.wait() == nil)
        #expect(check.appeared("Lamp") == [.lookUp(name: "Lamp")])
        #expect(check.found(Self.lamp) == [.endLookup, .report(Self.one, .found)])
    }

    @Test func aServiceThatVanishesIsMissedAfterFourSecondsAndOneThatReturnsIsNot() {
        var check = WatchedCheck(expecting: Self.lamp)
        #expect(check.disappeared("Lamp") == [])
        check.pass(3)
        #expect(check.appeared("Lamp") == [])
        #expect(check.disappeared("Lamp") == [])
        #expect(check.wait() == .seconds(4))
        #expect(check.advance() == [.report(Self.one, .missed(.notFound))])
    }

    @Test func aServiceIsThereUntilItHasGoneFromItsLastInterface() {
        var check = WatchedCheck(expecting: Self.lamp)
        _ = check.appeared("Lamp")
        _ = check.disappeared("Lamp")
        check.pass(30)
        #expect(check.advance() == [])
        _ = check.disappeared("Lamp")
        _ = check.wait()
        #expect(check.advance() == [.report(Self.one, .missed(.notFound))])
    }

    static let others: [(PublishedService, DiscoveryError)] = [
        (service("Lamp", port: 2), .otherRecord),
        (service("Lamp", sf: "1"), .otherRecord),
        (service("Shed"), .notFound),
    ]

    @Test(arguments: others)
    func anotherAnswerThanWhatWasSentIsToldWhenTheRightOneDoesNotFollow(found: PublishedService, error: DiscoveryError)
    {
        var check = WatchedCheck()
        _ = check.expect(Self.lamp)
        _ = check.appeared("Lamp")
        _ = check.wait()
        _ = check.advance()
        #expect(check.found(found) == [])
        #expect(check.wait() == .seconds(3))
        #expect(check.advance() == [.endLookup, .report(Self.one, .missed(error))])

        _ = check.expect(nil)
        _ = check.expect(Self.lamp)
        _ = check.wait()
        _ = check.advance()
        #expect(check.found(found) == [])
        #expect(check.found(Self.lamp) == [.endLookup, .report(Self.one, .found)])
    }

    @Test func theOrderOfTheTextDoesNotMatter() {
        var (text, other) = (TXTRecord(), TXTRecord())
        text.append("a", "1")
        text.append("b", "2")
        other.append("b", "2")
        other.append("a", "1")
        let sent = PublishedService(name: "Lamp", port: 1, text: text)
        #expect(sent.agrees(with: PublishedService(name: "Lamp", port: 1, text: other)))
        other.append("c", "3")
        #expect(!sent.agrees(with: PublishedService(name: "Lamp", port: 1, text: other)))
    }

    @Test func aChangedTextIsLookedUpAnewAndEndsTheLookupOfTheOldOne() {
        var check = WatchedCheck(expecting: Self.lamp)
        _ = check.wait()
        #expect(check.advance() == [.lookUp(name: "Lamp")])
        let changed = service("Lamp", sf: "1")
        #expect(check.expect(changed) == [.endLookup])
        #expect(check.found(Self.lamp) == [])
        #expect(check.wait() == .seconds(2))
        #expect(check.advance() == [.lookUp(name: "Lamp")])
        #expect(check.found(changed) == [.endLookup, .report(Self.one, .found)])
    }

    @Test func lookupsComeOneAtATimeASecondApartAndTheMissedFirst() {
        var check = WatchedCheck()
        _ = check.expect(service("Lamp"), as: Self.one)
        _ = check.expect(service("Shed"), as: Self.two)
        _ = check.expect(service("Door"), as: ServiceID(3), isDoubted: true)
        for name in ["Lamp", "Shed", "Door"] {
            _ = check.appeared(name)
        }
        var order: [String] = []
        var waits: [Duration?] = []
        var lookup: [SelfCheck.Action] = check.found(service("Door"))
        for _ in 0..<2 {
            waits.append(check.wait())
            lookup = check.advance()
            guard case .lookUp(let name)? = lookup.last else { break }
            order.append(name)
            _ = check.found(service(name))
        }
        #expect(order == ["Lamp", "Shed"])
        #expect(waits == [.seconds(2), .seconds(1)])
    }

    @Test func withoutADaemonEveryServiceIsMissedAndItsReturnGivesEachItsTime() {
        var check = WatchedCheck()
        _ = check.expect(service("Lamp"), as: Self.one)
        _ = check.expect(service("Shed"), as: Self.two)
        _ = check.appeared("Lamp")
        check.check.browseEnded()
        #expect(
            check.check.cannotLook(.noDaemon) == [
                .report(Self.one, .missed(.noDaemon)), .report(Self.two, .missed(.noDaemon)),
            ]
        )
        #expect(check.wait() == nil)
        check.pass(100)
        check.check.browseBegan(at: check.now)
        #expect(check.appeared("Lamp") == [.lookUp(name: "Lamp")])
        #expect(check.found(service("Lamp")) == [.endLookup, .report(Self.one, .found)])
        #expect(check.wait() == .seconds(4))
        #expect(check.advance() == [.report(Self.two, .missed(.notFound))])
    }

    @Test func whatNobodyExpectsIsNotLookedUp() {
        var check = WatchedCheck()
        #expect(check.appeared("Stranger") == [])
        #expect(check.disappeared("Stranger") == [])
        #expect(check.disappeared("Nobody") == [])
        #expect(check.found(service("Stranger")) == [])
        #expect(check.wait() == nil)
    }

    @Test func aNetworkFullOfNamesTakesABoundedRoom() {
        var check = WatchedCheck()
        for number in 0..<SelfCheck.maximumNames {
            _ = check.appeared("Name \(number)")
        }
        _ = check.appeared("Lamp")
        _ = check.expect(Self.lamp)
        #expect(check.wait() == .seconds(4))
        _ = check.disappeared("Name 7")
        #expect(check.appeared("Lamp") == [.lookUp(name: "Lamp")])
    }
}

private func service(_ name: String, port: UInt16 = 1, sf: String = "0") -> PublishedService {
    var text = TXTRecord()
    text.append("id", "C8:D8:58:C6:63:F5")
    text.append("sf", sf)
    return PublishedService(name: name, port: port, text: text)
}

/// A check whose browse has begun, with a clock that moves when told to.
private struct WatchedCheck {
    var check = SelfCheck()
    var now = MonotonicInstant.zero

    init() {
        check.browseBegan(at: now)
    }

    /// One whose service was confirmed, seen and looked up.
    init(expecting service: PublishedService) {
        self.init()
        _ = expect(service)
        _ = appeared(service.name)
        _ = wait()
        _ = advance()
        _ = found(service)
    }

    mutating func expect(
        _ service: PublishedService?,
        as id: ServiceID = ServiceID(1),
        isDoubted: Bool = false
    ) -> [SelfCheck.Action] {
        check.expect(service, as: id, isDoubted: isDoubted, at: now)
    }

    mutating func appeared(_ name: String) -> [SelfCheck.Action] {
        check.appeared(name, at: now)
    }

    mutating func disappeared(_ name: String) -> [SelfCheck.Action] {
        check.disappeared(name, at: now)
    }

    mutating func found(_ service: PublishedService) -> [SelfCheck.Action] {
        check.lookedUp(service, at: now)
    }

    mutating func pass(_ seconds: Int) {
        now = now.advanced(by: .seconds(seconds))
    }

    /// Waits for the deadline; how long that took.
    mutating func wait() -> Duration? {
        guard let deadline = check.nextDeadline else { return nil }
        defer { now = max(now, deadline) }
        return now.duration(to: deadline)
    }

    mutating func advance() -> [SelfCheck.Action] {
        check.advance(to: now)
    }
}
