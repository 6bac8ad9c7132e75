import Testing

@testable import Discovery

/// All that the daemon sees is looked up, and the search ends when nothing is left to wait for.
struct AccessorySearchTests {
    private static let overIPv4 = SeenService(name: "Lamp", interface: 2, family: 0)
    private static let overIPv6 = SeenService(name: "Lamp", interface: 2, family: 1)

    @Test func eachInterfaceAndProtocolIsLookedUpOnceAndTheLastAnswerIsTheEnd() {
        var search = AccessorySearch()
        #expect(search.handle(.daemonAnswers) == .wait)
        #expect(search.handle(.appeared(Self.overIPv4)) == .lookUp(Self.overIPv4))
        #expect(search.handle(.appeared(Self.overIPv6)) == .lookUp(Self.overIPv6))
        #expect(search.handle(.appeared(Self.overIPv6)) == .wait)
        #expect(search.handle(.lookedUp(Self.overIPv4, found("192.0.2.1"))) == .wait)
        #expect(search.handle(.sawAll) == .wait)
        #expect(search.handle(.lookedUp(Self.overIPv6, found("fd00::1"))) == .finish)
        #expect(search.found.map(\.address) == ["192.0.2.1", "fd00::1"])
    }

    @Test func nothingToSeeIsTheEnd() {
        var search = AccessorySearch()
        #expect(search.handle(.sawAll) == .finish)
        #expect(search.found.isEmpty)
    }

    @Test func aNameThatNobodyAnswersForKeepsNothingElseFromBeingFound() {
        var search = AccessorySearch()
        _ = search.handle(.appeared(Self.overIPv4))
        _ = search.handle(.appeared(Self.overIPv6))
        _ = search.handle(.sawAll)
        #expect(search.handle(.lookupFailed(Self.overIPv4)) == .wait)
        #expect(search.handle(.lookedUp(Self.overIPv6, found("fd00::1"))) == .finish)
        #expect(search.found.map(\.address) == ["fd00::1"])
    }

    @Test func oneAddressOnTwoInterfacesIsFoundOnce() {
        var search = AccessorySearch()
        for interface in [1, 2] as [Int32] {
            let seen = SeenService(name: "Lamp", interface: interface, family: 0)
            _ = search.handle(.appeared(seen))
            _ = search.handle(.lookedUp(seen, found("192.0.2.1")))
        }
        #expect(search.found.count == 1)
    }

    @Test func lookupsAreBounded() {
        var search = AccessorySearch()
        for number in 0..<AccessorySearch.maximumLookups {
            let seen = SeenService(name: "Lamp \(number)", interface: 1, family: 0)
            #expect(search.handle(.appeared(seen)) == .lookUp(seen))
        }
        #expect(search.handle(.appeared(Self.overIPv4)) == .wait)
    }

    @Test func aDaemonThatIsLostIsNotWaitedFor() {
        var search = AccessorySearch()
        #expect(search.handle(.lost) == .fail)
    }

    @Test(
        arguments: [
            (.noMemory, .silence, .noBus), (.noDaemon, .answers, .noDaemon), (.noDaemon, .silence, .noBus),
            (.busError, .answers, .busRefused), (.versionMismatch, .answers, .otherVersion),
            (.noMemory, .answers, .limit), (.busError, .noDescriptors, .noDescriptors),
        ] as [(AvahiCode, SystemBus.Answer, DiscoveryError)]
    )
    func aFailureIsToldByItsCause(code: AvahiCode, bus: SystemBus.Answer, error: DiscoveryError) {
        #expect(code.discoveryError(bus: bus) == error)
    }

    private func found(_ address: String) -> FoundService {
        FoundService(name: "Lamp", host: "lamp.local", address: address, port: 1, text: TXTRecord())
    }
}
