import HAPCore
import Testing

@testable import Discovery

struct AccessoryResolverTests {
    private static let version4 = ServiceInstance(name: "Lamp", interface: 2, family: 0)
    private static let version6 = ServiceInstance(name: "Lamp", interface: 2, family: 1)
    private static let start = MonotonicInstant.zero

    @Test func nameIsReportedOnceAllItsLookupsFinish() {
        var neighborhood = AccessoryResolver()
        #expect(neighborhood.browseBegan() == [.publish(.available)])
        #expect(neighborhood.appeared(Self.version4, at: Self.start) == [.lookUp(Self.version4)])
        #expect(neighborhood.appeared(Self.version6, at: Self.start) == [.lookUp(Self.version6)])
        #expect(neighborhood.appeared(Self.version6, at: Self.start).isEmpty)
        #expect(neighborhood.lookedUp(Self.version6, found("fe80::1"), at: Self.start).isEmpty)
        let actions = neighborhood.lookedUp(Self.version4, found("192.0.2.1"), at: Self.start)
        #expect(actions == [.publish(.appeared(lamp(["192.0.2.1", "fe80::1%2"])))])
        #expect(neighborhood.allForNow(at: Self.start) == [.publish(.allForNow)])
    }

    @Test func nameIsReportedInTimeDespiteAPendingLookup() {
        var neighborhood = makeResolver([Self.version4, Self.version6])
        _ = neighborhood.lookedUp(Self.version4, found("192.0.2.1"), at: Self.start)
        let deadline = Self.start.advanced(by: AccessoryResolver.gracePeriod)
        #expect(neighborhood.nextDeadline == deadline)
        #expect(neighborhood.advance(to: Self.start).isEmpty)
        #expect(neighborhood.advance(to: deadline) == [.publish(.appeared(lamp(["192.0.2.1"])))])
        #expect(neighborhood.nextDeadline == nil)
        #expect(neighborhood.allForNow(at: Self.start).isEmpty, "one lookup has neither succeeded nor failed")
        let actions = neighborhood.lookupFailed(Self.version6, at: deadline)
        #expect(actions == [.endLookup(Self.version6), .publish(.allForNow)])
    }

    @Test func newResponseIsAChangeButARepeatedOneIsNot() {
        var neighborhood = makeResolver([Self.version4])
        let first = found("192.0.2.1")
        var second = first
        second.text = TXTRecord(wireBytes: Array("\u{4}sf=0".utf8))
        _ = neighborhood.lookedUp(Self.version4, first, at: Self.start)
        #expect(neighborhood.lookedUp(Self.version4, first, at: Self.start).isEmpty)
        let actions = neighborhood.lookedUp(Self.version4, second, at: Self.start)
        #expect(actions == [.publish(.changed(lamp(["192.0.2.1"], text: ["sf": "0"])))])
    }

    @Test func nameDisappearsWithItsLastInstance() {
        var neighborhood = makeResolver([Self.version4, Self.version6])
        _ = neighborhood.lookedUp(Self.version4, found("192.0.2.1"), at: Self.start)
        _ = neighborhood.lookedUp(Self.version6, found("2001:db8::1"), at: Self.start)
        _ = neighborhood.allForNow(at: Self.start)
        #expect(
            neighborhood.disappeared(Self.version4, at: Self.start) == [
                .endLookup(Self.version4), .publish(.changed(lamp(["2001:db8::1"]))),
            ]
        )
        #expect(
            neighborhood.disappeared(Self.version6, at: Self.start) == [
                .endLookup(Self.version6), .publish(.disappeared(lamp(["2001:db8::1"]))),
            ]
        )
        #expect(neighborhood.disappeared(Self.version6, at: Self.start).isEmpty)
    }

    @Test func unresponsiveServiceDisappearsAndIsLookedUpAgain() {
        var neighborhood = makeResolver([Self.version4])
        _ = neighborhood.lookedUp(Self.version4, found("192.0.2.1"), at: Self.start)
        _ = neighborhood.allForNow(at: Self.start)
        let gone = neighborhood.lookupFailed(Self.version4, at: Self.start)
        #expect(gone == [.endLookup(Self.version4), .publish(.disappeared(lamp(["192.0.2.1"])))])
        let later = Self.start.advanced(by: AccessoryResolver.retryDelay)
        #expect(neighborhood.nextDeadline == later)
        #expect(neighborhood.advance(to: later) == [.lookUp(Self.version4)])
        let back = neighborhood.lookedUp(Self.version4, found("192.0.2.2"), at: later)
        #expect(back == [.publish(.appeared(lamp(["192.0.2.2"])))])
    }

    @Test func onlyDifferencesAreReportedWhenTheDaemonReturns() {
        let other = ServiceInstance(name: "Fan", interface: 2, family: 0)
        let third = ServiceInstance(name: "Door", interface: 2, family: 0)
        var neighborhood = makeResolver([Self.version4, other, third])
        for service in [Self.version4, other, third] {
            _ = neighborhood.lookedUp(service, found("192.0.2.1", name: service.name), at: Self.start)
        }
        _ = neighborhood.allForNow(at: Self.start)
        let error = DiscoveryError.noDaemon.forBrowsing
        #expect(neighborhood.browseFailed(error) == [.publish(.unavailable(error))])
        #expect(neighborhood.browseFailed(error).isEmpty)
        #expect(neighborhood.lookedUp(other, found("192.0.2.9"), at: Self.start).isEmpty, "an earlier lookup")

        #expect(neighborhood.browseBegan() == [.publish(.available)])
        _ = neighborhood.appeared(Self.version4, at: Self.start)
        _ = neighborhood.appeared(other, at: Self.start)
        #expect(neighborhood.lookedUp(Self.version4, found("192.0.2.1"), at: Self.start).isEmpty)
        let moved = accessory("Fan", ["192.0.2.7"])
        #expect(
            neighborhood.lookedUp(other, found("192.0.2.7", name: "Fan"), at: Self.start) == [.publish(.changed(moved))]
        )
        let door = accessory("Door", ["192.0.2.1"])
        #expect(neighborhood.allForNow(at: Self.start) == [.publish(.allForNow)], "only one query was sent")
        let deadline = Self.start.advanced(by: AccessoryResolver.returnGracePeriod)
        #expect(neighborhood.nextDeadline == deadline)
        #expect(neighborhood.advance(to: deadline) == [.publish(.disappeared(door))])
        #expect(neighborhood.nextDeadline == nil)
        #expect(
            neighborhood.snapshot == [
                .appeared(moved), .appeared(lamp(["192.0.2.1"])), .available, .allForNow,
            ]
        )
    }

    /// Covers behavior of Avahi 0.8: a host that has just answered another query does not answer the first one of a
    /// restarted daemon.
    ///
    /// The daemon then sends "all for now" before it finds the service.
    @Test func lateResponseAfterADaemonStartIsAChangeNotADisappearance() {
        var neighborhood = makeResolver([Self.version4])
        _ = neighborhood.lookedUp(Self.version4, found("192.0.2.1"), at: Self.start)
        _ = neighborhood.allForNow(at: Self.start)
        _ = neighborhood.browseFailed(DiscoveryError.noDaemon.forBrowsing)
        _ = neighborhood.browseBegan()
        #expect(neighborhood.allForNow(at: Self.start) == [.publish(.allForNow)])
        #expect(neighborhood.appeared(Self.version4, at: Self.start) == [.lookUp(Self.version4)])
        var response = found("192.0.2.1")
        response.text = TXTRecord(wireBytes: Array("\u{4}sf=1".utf8))
        let changed = lamp(["192.0.2.1"], text: ["sf": "1"])
        #expect(neighborhood.lookedUp(Self.version4, response, at: Self.start) == [.publish(.changed(changed))])
        let deadline = Self.start.advanced(by: AccessoryResolver.returnGracePeriod)
        #expect(neighborhood.advance(to: deadline).isEmpty)
        let goodbye = neighborhood.disappeared(Self.version4, at: deadline)
        #expect(goodbye == [.endLookup(Self.version4), .publish(.disappeared(changed))])
    }

    @Test func lookupsBeyondTheLimitTakeTurns() throws {
        var neighborhood = AccessoryResolver()
        _ = neighborhood.browseBegan()
        let services = (0...AccessoryResolver.maximumLookups)
            .map { ServiceInstance(name: "\($0)", interface: 1, family: 0) }
        let last = try #require(services.last)
        for service in services.dropLast() {
            #expect(neighborhood.appeared(service, at: Self.start) == [.lookUp(service)])
        }
        #expect(neighborhood.appeared(last, at: Self.start).isEmpty)
        let actions = neighborhood.lookedUp(services[7], found("192.0.2.1", name: "7"), at: Self.start)
        #expect(
            actions == [.publish(.appeared(accessory("7", ["192.0.2.1"]))), .endLookup(services[7]), .lookUp(last)]
        )
        // No response since then has freed a slot.
        let later = Self.start.advanced(by: AccessoryResolver.retryDelay)
        #expect(neighborhood.advance(to: later).isEmpty)
        _ = neighborhood.lookedUp(last, found("192.0.2.1", name: last.name), at: later)
        #expect(neighborhood.snapshot.count == 3, "two accessories, and that the daemon is available")
    }

    @Test func dueLookupWaitsWithoutADeadlineForAFreeSlot() {
        let first = ServiceInstance(name: "first", interface: 1, family: 0)
        var neighborhood = makeResolver([first])
        _ = neighborhood.lookupFailed(first, at: Self.start)
        let others = (0..<AccessoryResolver.maximumLookups)
            .map { ServiceInstance(name: "\($0)", interface: 1, family: 0) }
        for service in others {
            #expect(neighborhood.appeared(service, at: Self.start) == [.lookUp(service)])
        }
        let later = Self.start.advanced(by: AccessoryResolver.retryDelay)
        #expect(neighborhood.advance(to: later).isEmpty, "all lookups are in progress")
        #expect(neighborhood.nextDeadline == nil, "a deadline would be due at once, again and again")
        let actions = neighborhood.lookedUp(others[0], found("192.0.2.1", name: "0"), at: later)
        #expect(actions.contains(.lookUp(first)))
    }

    @Test func floodOfForgedNamesUsesBoundedMemoryAndWork() {
        var neighborhood = AccessoryResolver()
        _ = neighborhood.browseBegan()
        var open: Set<ServiceInstance> = []
        var mostOpen = 0
        var work = 0
        func perform(_ actions: [AccessoryResolver.Action]) {
            work += actions.count
            for action in actions {
                switch action {
                case .lookUp(let service): open.insert(service)
                case .endLookup(let service): open.remove(service)
                case .publish: break
                }
            }
            mostOpen = max(mostOpen, open.count)
        }
        let names = 10_000
        let rounds = 4
        for round in 0..<rounds {
            for number in 0..<names {
                let service = ServiceInstance(name: "\(round) \(number)", interface: Int32(number % 2), family: 0)
                perform(neighborhood.appeared(service, at: Self.start))
                // Some lookups succeed, some fail, most do neither; all services disappear again.
                switch number % 16 {
                case 0 where open.contains(service):
                    perform(neighborhood.lookedUp(service, found("192.0.2.1", name: service.name), at: Self.start))
                case 1 where open.contains(service): perform(neighborhood.lookupFailed(service, at: Self.start))
                default: break
                }
            }
            for number in 0..<names {
                let service = ServiceInstance(name: "\(round) \(number)", interface: Int32(number % 2), family: 0)
                perform(neighborhood.disappeared(service, at: Self.start))
            }
        }
        #expect(mostOpen <= AccessoryResolver.maximumLookups)
        #expect(open.isEmpty)
        #expect(neighborhood.queueLength <= 4 * AccessoryResolver.maximumInstances)
        #expect(work <= 4 * names * rounds)
        #expect(neighborhood.snapshot == [.available])
    }

    @Test func serviceThatLeavesBeforeTheListIsCompleteIsForgottenAtOnce() {
        var neighborhood = makeResolver([Self.version4])
        _ = neighborhood.lookedUp(Self.version4, found("192.0.2.1"), at: Self.start)
        let actions = neighborhood.disappeared(Self.version4, at: Self.start)
        #expect(actions == [.endLookup(Self.version4), .publish(.disappeared(lamp(["192.0.2.1"])))])
        #expect(neighborhood.snapshot == [.available])
    }

    @Test func namesBeyondTheLimitsAreIgnored() {
        var neighborhood = AccessoryResolver()
        _ = neighborhood.browseBegan()
        let long = ServiceInstance(name: String(repeating: "n", count: 256), interface: 1, family: 0)
        #expect(neighborhood.appeared(long, at: Self.start).isEmpty)
        for number in 0..<AccessoryResolver.maximumServices {
            _ = neighborhood.appeared(ServiceInstance(name: "\(number)", interface: 1, family: 0), at: Self.start)
        }
        _ = neighborhood.appeared(Self.version4, at: Self.start)
        #expect(neighborhood.disappeared(Self.version4, at: Self.start).isEmpty)
        for number in 0..<AccessoryResolver.maximumServices {
            _ = neighborhood.disappeared(ServiceInstance(name: "\(number)", interface: 1, family: 0), at: Self.start)
        }
        #expect(neighborhood.appeared(Self.version4, at: Self.start) == [.lookUp(Self.version4)])
        #expect(neighborhood.allForNow(at: Self.start).isEmpty)
    }

    private func makeResolver(_ services: [ServiceInstance]) -> AccessoryResolver {
        var neighborhood = AccessoryResolver()
        _ = neighborhood.browseBegan()
        for service in services {
            _ = neighborhood.appeared(service, at: Self.start)
        }
        return neighborhood
    }

    private func found(_ address: String, name: String = "Lamp") -> ResolvedService {
        ResolvedService(name: name, host: "lamp.local", address: address, port: 80, text: TXTRecord())
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
