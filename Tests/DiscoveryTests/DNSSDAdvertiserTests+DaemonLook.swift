import Discovery
import TestSupport
import Testing

extension DNSSDAdvertiserTests {
    @Test func aLookTellsTheDaemonAndWhatIsAnnounced() async throws {
        #expect(throws: DiscoveryError.noBus) { try DaemonLook.look(within: .seconds(3)) }
        let daemon = try await PrivateDaemon()
        #expect(throws: DiscoveryError.noDaemon) { try DaemonLook.look(within: .seconds(3)) }
        #expect(throws: DiscoveryError.noDaemon) { try DaemonLook.accessories(within: .seconds(3)) }
        try await daemon.startAvahi()
        let look = try DaemonLook.look(within: .seconds(10))
        #expect(look.version.hasPrefix("avahi "))
        #expect(look.hostName == "hap-tests.local")
        #expect(try DaemonLook.accessories(within: .seconds(10)).isEmpty)

        let advertiser = DNSSDAdvertiser(on: DiscoveryQueue())
        advertiser.start(try garage().record) { _ in }
        #expect(await advertiser.firstOutcome() == .advertised(name: "Kilgo Garage", wished: "Kilgo Garage"))
        let services = try DaemonLook.accessories(within: .seconds(10))
        #expect(services.count == 1)
        let service = try #require(services.first)
        #expect(service.name == "Kilgo Garage")
        #expect(service.address == "127.0.0.1")
        #expect(service.port == 51_826)
        #expect(service.text["id"] == "C8:D8:58:C6:63:F5")
        #expect(service.text["sh"] == "712Omw==")
        await advertiser.stop()
        await daemon.end()
    }
}
