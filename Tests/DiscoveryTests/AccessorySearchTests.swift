import Testing

@testable import Discovery

/// Tests that each service that the daemon finds is looked up, and that the search ends when no lookup is left.
struct AccessorySearchTests {
    private static let overIPv4 = ServiceInstance(name: "Lamp", interface: 2, family: 0)
    private static let overIPv6 = ServiceInstance(name: "Lamp", interface: 2, family: 1)

    @Test func eachInterfaceAndProtocolIsLookedUpOnceAndTheLastResponseFinishes() {
        var search = AccessorySearch()
        #expect(search.handle(.daemonAvailable) == .wait)
        #expect(search.handle(.appeared(Self.overIPv4)) == .lookUp(Self.overIPv4))
        #expect(search.handle(.appeared(Self.overIPv6)) == .lookUp(Self.overIPv6))
        #expect(search.handle(.appeared(Self.overIPv6)) == .wait)
        #expect(search.handle(.lookedUp(Self.overIPv4, found("192.0.2.1"))) == .wait)
        #expect(search.handle(.allForNow) == .wait)
        #expect(search.handle(.lookedUp(Self.overIPv6, found("fd00::1"))) == .finish)
        #expect(search.found.map(\.address) == ["192.0.2.1", "fd00::1"])
    }

    @Test func searchWithoutServicesFinishes() {
        var search = AccessorySearch()
        #expect(search.handle(.allForNow) == .finish)
        #expect(search.found.isEmpty)
    }

    @Test func failedLookupDoesNotPreventOthers() {
        var search = AccessorySearch()
        _ = search.handle(.appeared(Self.overIPv4))
        _ = search.handle(.appeared(Self.overIPv6))
        _ = search.handle(.allForNow)
        #expect(search.handle(.lookupFailed(Self.overIPv4)) == .wait)
        #expect(search.handle(.lookedUp(Self.overIPv6, found("fd00::1"))) == .finish)
        #expect(search.found.map(\.address) == ["fd00::1"])
    }

    @Test func oneAddressOnTwoInterfacesIsFoundOnce() {
        var search = AccessorySearch()
        for interface in [1, 2] as [Int32] {
            let seen = ServiceInstance(name: "Lamp", interface: interface, family: 0)
            _ = search.handle(.appeared(seen))
            _ = search.handle(.lookedUp(seen, found("192.0.2.1")))
        }
        #expect(search.found.count == 1)
    }

    @Test func lookupsAreLimited() {
        var search = AccessorySearch()
        for number in 0..<AccessorySearch.maximumLookups {
            let seen = ServiceInstance(name: "Lamp \(number)", interface: 1, family: 0)
            #expect(search.handle(.appeared(seen)) == .lookUp(seen))
        }
        #expect(search.handle(.appeared(Self.overIPv4)) == .wait)
    }

    @Test func searchFinishesWhenTheDaemonIsLost() {
        var search = AccessorySearch()
        #expect(search.handle(.connectionLost) == .fail)
    }

    @Test(
        arguments: [
            (.noMemory, .unavailable, .noBus), (.noDaemon, .available, .noDaemon), (.noDaemon, .unavailable, .noBus),
            (.busError, .available, .busRefused), (.versionMismatch, .available, .versionMismatch),
            (.noMemory, .available, .limit), (.busError, .noDescriptors, .noDescriptors),
        ] as [(AvahiCode, SystemBus.ProbeResult, DiscoveryError)]
    )
    func failureIsReportedByItsCause(code: AvahiCode, bus: SystemBus.ProbeResult, error: DiscoveryError) {
        #expect(code.discoveryError(bus: bus) == error)
    }

    private func found(_ address: String) -> ResolvedService {
        ResolvedService(name: "Lamp", host: "lamp.local", address: address, port: 1, text: TXTRecord())
    }
}
