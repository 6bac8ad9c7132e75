import Discovery
import HAPCore
import Testing

/// Tests that the services of a process are compared with the results of a browse and of lookups.
struct RegistrationCheckTests {
    private static let one = ServiceID(1)
    private static let two = ServiceID(2)
    private static let lamp = service("Lamp")

    @Test func presentServiceIsLookedUpAfterTwoSecondsThenOnceAMinute() {
        var check = ClockedCheck()
        #expect(check.expect(Self.lamp) == [])
        #expect(check.appeared("Lamp") == [])
        for wait in [2, 60, 60] {
            #expect(check.advanceToDeadline() == .seconds(wait))
            #expect(check.advance() == [.lookUp(name: "Lamp")])
            #expect(check.found(Self.lamp) == [.endLookup, .report(Self.one, .found)])
        }
    }

    @Test func absentServiceIsMissedOnceAndFoundWhenItAppears() {
        var check = ClockedCheck()
        #expect(check.expect(Self.lamp) == [])
        #expect(check.advanceToDeadline() == .seconds(4))
        #expect(check.advance() == [.report(Self.one, .missing(.notFound))])
        #expect(check.advanceToDeadline() == nil)
        #expect(check.appeared("Lamp") == [.lookUp(name: "Lamp")])
        #expect(check.found(Self.lamp) == [.endLookup, .report(Self.one, .found)])
    }

    @Test func vanishedServiceIsMissedAfterFourSecondsUnlessItReturns() {
        var check = ClockedCheck(expecting: Self.lamp)
        #expect(check.disappeared("Lamp") == [])
        check.advanceClock(3)
        #expect(check.appeared("Lamp") == [])
        #expect(check.disappeared("Lamp") == [])
        #expect(check.advanceToDeadline() == .seconds(4))
        #expect(check.advance() == [.report(Self.one, .missing(.notFound))])
    }

    @Test func serviceIsPresentUntilItLeavesItsLastInterface() {
        var check = ClockedCheck(expecting: Self.lamp)
        _ = check.appeared("Lamp")
        _ = check.disappeared("Lamp")
        check.advanceClock(30)
        #expect(check.advance() == [])
        _ = check.disappeared("Lamp")
        _ = check.advanceToDeadline()
        #expect(check.advance() == [.report(Self.one, .missing(.notFound))])
    }

    static let others: [(PublishedService, DiscoveryError)] = [
        (service("Lamp", port: 2), .recordMismatch),
        (service("Lamp", sf: "1"), .recordMismatch),
        (service("Shed"), .notFound),
    ]

    @Test(arguments: others)
    func differentResponseIsReportedUnlessTheExpectedOneFollows(found: PublishedService, error: DiscoveryError) {
        var check = ClockedCheck()
        _ = check.expect(Self.lamp)
        _ = check.appeared("Lamp")
        _ = check.advanceToDeadline()
        _ = check.advance()
        #expect(check.found(found) == [])
        #expect(check.advanceToDeadline() == .seconds(3))
        #expect(check.advance() == [.endLookup, .report(Self.one, .missing(error))])

        _ = check.expect(nil)
        _ = check.expect(Self.lamp)
        _ = check.advanceToDeadline()
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
        #expect(sent.matches(PublishedService(name: "Lamp", port: 1, text: other)))
        other.append("c", "3")
        #expect(!sent.matches(PublishedService(name: "Lamp", port: 1, text: other)))
    }

    @Test func changedTextIsLookedUpAgainAndEndsTheOldLookup() {
        var check = ClockedCheck(expecting: Self.lamp)
        _ = check.advanceToDeadline()
        #expect(check.advance() == [.lookUp(name: "Lamp")])
        let changed = service("Lamp", sf: "1")
        #expect(check.expect(changed) == [.endLookup])
        #expect(check.found(Self.lamp) == [])
        #expect(check.advanceToDeadline() == .seconds(2))
        #expect(check.advance() == [.lookUp(name: "Lamp")])
        #expect(check.found(changed) == [.endLookup, .report(Self.one, .found)])
    }

    @Test func lookupsRunOneAtATimeASecondApartWithMissedServicesFirst() {
        var check = ClockedCheck()
        _ = check.expect(service("Lamp"), as: Self.one)
        _ = check.expect(service("Shed"), as: Self.two)
        _ = check.expect(service("Door"), as: ServiceID(3), isDoubted: true)
        for name in ["Lamp", "Shed", "Door"] {
            _ = check.appeared(name)
        }
        var order: [String] = []
        var waits: [Duration?] = []
        var lookup: [RegistrationCheck.Action] = check.found(service("Door"))
        for _ in 0..<2 {
            waits.append(check.advanceToDeadline())
            lookup = check.advance()
            guard case .lookUp(let name)? = lookup.last else { break }
            order.append(name)
            _ = check.found(service(name))
        }
        #expect(order == ["Lamp", "Shed"])
        #expect(waits == [.seconds(2), .seconds(1)])
    }

    @Test func everyServiceIsMissedWithoutADaemonAndItsReturnRestartsTheirTimeouts() {
        var check = ClockedCheck()
        _ = check.expect(service("Lamp"), as: Self.one)
        _ = check.expect(service("Shed"), as: Self.two)
        _ = check.appeared("Lamp")
        check.check.browseEnded()
        #expect(
            check.check.browseFailed(.noDaemon) == [
                .report(Self.one, .missing(.noDaemon)), .report(Self.two, .missing(.noDaemon)),
            ]
        )
        #expect(check.advanceToDeadline() == nil)
        check.advanceClock(100)
        check.check.browseBegan(at: check.now)
        #expect(check.appeared("Lamp") == [.lookUp(name: "Lamp")])
        #expect(check.found(service("Lamp")) == [.endLookup, .report(Self.one, .found)])
        #expect(check.advanceToDeadline() == .seconds(4))
        #expect(check.advance() == [.report(Self.two, .missing(.notFound))])
    }

    @Test func unexpectedNamesAreNotLookedUp() {
        var check = ClockedCheck()
        #expect(check.appeared("Stranger") == [])
        #expect(check.disappeared("Stranger") == [])
        #expect(check.disappeared("Unknown") == [])
        #expect(check.found(service("Stranger")) == [])
        #expect(check.advanceToDeadline() == nil)
    }

    @Test func manyNamesUseBoundedMemory() {
        var check = ClockedCheck()
        for number in 0..<RegistrationCheck.maximumNames {
            _ = check.appeared("Name \(number)")
        }
        _ = check.appeared("Lamp")
        _ = check.expect(Self.lamp)
        #expect(check.advanceToDeadline() == .seconds(4))
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

/// A check whose browse has begun, with a clock that moves only on command.
private struct ClockedCheck {
    var check = RegistrationCheck()
    var now = MonotonicInstant.zero

    init() {
        check.browseBegan(at: now)
    }

    /// Creates a check whose service was confirmed, seen and looked up.
    init(expecting service: PublishedService) {
        self.init()
        _ = expect(service)
        _ = appeared(service.name)
        _ = advanceToDeadline()
        _ = advance()
        _ = found(service)
    }

    mutating func expect(
        _ service: PublishedService?,
        as id: ServiceID = ServiceID(1),
        isDoubted: Bool = false
    ) -> [RegistrationCheck.Action] {
        check.expect(service, as: id, isMissing: isDoubted, at: now)
    }

    mutating func appeared(_ name: String) -> [RegistrationCheck.Action] {
        check.appeared(name, at: now)
    }

    mutating func disappeared(_ name: String) -> [RegistrationCheck.Action] {
        check.disappeared(name, at: now)
    }

    mutating func found(_ service: PublishedService) -> [RegistrationCheck.Action] {
        check.lookedUp(service, at: now)
    }

    mutating func advanceClock(_ seconds: Int) {
        now = now.advanced(by: .seconds(seconds))
    }

    /// Advances the clock to the next deadline, and returns the time until then.
    mutating func advanceToDeadline() -> Duration? {
        guard let deadline = check.nextDeadline else { return nil }
        defer { now = max(now, deadline) }
        return now.duration(to: deadline)
    }

    mutating func advance() -> [RegistrationCheck.Action] {
        check.advance(to: now)
    }
}
