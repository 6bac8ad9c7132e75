import Discovery
import Glibc
import TestSupport
import Testing

extension DNSSDAdvertiserTests {
    @Test func daemonReportShowsTheDaemonAndItsAnnouncements() async throws {
        await #expect(throws: DiscoveryError.noBus) { try await DaemonReport.query(within: .seconds(60)) }
        let daemon = try await PrivateDaemon()
        await #expect(throws: DiscoveryError.noDaemon) { try await DaemonReport.query(within: .seconds(60)) }
        await #expect(throws: DiscoveryError.noDaemon) { try await DaemonReport.accessories(within: .seconds(60)) }
        try await daemon.startAvahi()
        let look = try await DaemonReport.query(within: .seconds(60))
        #expect(look.version.hasPrefix("avahi "))
        #expect(look.hostName == "hap-tests.local")
        #expect(try await DaemonReport.accessories(within: .seconds(60)).isEmpty)

        let advertiser = DNSSDAdvertiser(on: DiscoveryQueue())
        advertiser.start(try garage().record) { _ in }
        #expect(await advertiser.firstOutcome() == .advertised(name: "Kilgo Garage", requested: "Kilgo Garage"))
        let services = try await DaemonReport.accessories(within: .seconds(60))
        #expect(services.count == 1)
        let service = try #require(services.first)
        #expect(service.name == "Kilgo Garage")
        #expect(service.address == "127.0.0.1")
        #expect(service.port == 51_826)
        #expect(service.text["id"] == "C8:D8:58:C6:63:F5")
        #expect(service.text["sh"] == "712Omw==")
        await advertiser.stop()
        await daemon.stop()
    }

    @Test func hangingDaemonIsReportedInTime() async throws {
        let daemon = try await PrivateDaemon()
        try await daemon.startAvahi()
        try await daemon.signalAvahi(SIGSTOP)
        let duration = await ContinuousClock()
            .measure {
                await #expect(throws: DiscoveryError.busNotResponding) {
                    try await DaemonReport.query(within: .seconds(1))
                }
                await #expect(throws: DiscoveryError.busNotResponding) {
                    try await DaemonReport.accessories(within: .seconds(1))
                }
            }
        #expect(duration < .seconds(25), "the timeout of the bus is 25 seconds")
        try await daemon.signalAvahi(SIGCONT)
        await daemon.stop()
    }
}
