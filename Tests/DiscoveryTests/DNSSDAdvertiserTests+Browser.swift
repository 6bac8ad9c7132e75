import Discovery
import HAPCore
import TestSupport
import Testing

extension DNSSDAdvertiserTests {
    @Test func browserReportsAppearancesChangesAndDisappearances() async throws {
        let browser = AccessoryBrowser()
        let log = BrowserLog(browser)
        try await eventually("the missing bus is reported") { log.unavailable?.code == .noBus }
        let daemon = try await PrivateDaemon()
        try await eventually("the missing daemon is reported") { log.unavailable?.code == .noDaemon }
        try await daemon.startAvahi()
        try await eventually("the daemon responds, and there are no accessories") { log.hasSeenAll }
        #expect(log.unavailable == nil)
        #expect(log.accessories.isEmpty)

        let advertiser = DNSSDAdvertiser(on: DiscoveryQueue())
        var announcement = try garage()
        advertiser.start(announcement.record) { _ in }
        try await eventually("the garage appears") { log.accessories["Kilgo Garage"] != nil }
        let garage = try #require(log.accessories["Kilgo Garage"])
        #expect(garage.deviceID == announcement.deviceID)
        #expect(garage.host == "hap-tests.local")
        #expect(garage.addresses == ["127.0.0.1"])
        #expect(garage.port == 51_826)
        #expect(garage.isPaired == false)

        announcement.isPaired = true
        announcement.configurationNumber = 2
        advertiser.update(announcement.record)
        try await eventually("the change is reported") {
            let garage = log.accessories["Kilgo Garage"]
            return garage?.isPaired == true && garage?.configurationNumber == 2
        }
        let second = BrowserLog(browser)
        try await eventually("a second reader receives the existing accessories") {
            second.accessories.count == 1 && second.hasSeenAll
        }

        await advertiser.stop()
        try await eventually("the garage disappears for both") { log.accessories.isEmpty && second.accessories.isEmpty }
        await daemon.stop()
    }

    @Test func browserRecoversAndReportsDifferences() async throws {
        let daemon = try await PrivateDaemon()
        try await daemon.startAvahi()
        let log = BrowserLog(AccessoryBrowser())
        let garages = ["Kilgo Garage", "Kilgo Shed"]
        let queue = DiscoveryQueue()
        let advertisers = try garages.map { name in
            let advertiser = DNSSDAdvertiser(on: queue)
            advertiser.start(try garage(named: name).record) { _ in }
            return advertiser
        }
        try await eventually("both garages appear") { Set(log.accessories.keys) == Set(garages) }

        await daemon.killAvahi()
        try await eventually("the loss of the daemon is reported") { log.unavailable?.code == .noDaemon }
        #expect(Set(log.accessories.keys) == Set(garages), "the accessories may still be on the network")
        await advertisers[1].stop()
        try await daemon.startAvahi()
        try await eventually("only one garage is found again") {
            log.unavailable == nil && log.hasSeenAll && Array(log.accessories.keys) == ["Kilgo Garage"]
        }
        await advertisers[0].stop()
        try await eventually("the goodbye is reported") { log.accessories.isEmpty }
        await daemon.stop()
    }

    @Test func aHostIsFoundByItsLocalName() async throws {
        await #expect(throws: DiscoveryError.noBus.forBrowsing) {
            try await DaemonReport.addresses(ofHost: "hap-tests.local", within: .seconds(60))
        }
        let daemon = try await PrivateDaemon()
        try await daemon.startAvahi()
        let addresses = try await DaemonReport.addresses(ofHost: "hap-tests.local", within: .seconds(60))
        #expect(addresses.first == "127.0.0.1")
        #expect(try await DaemonReport.addresses(ofHost: "unknown.local", within: .seconds(10)).isEmpty)
        #expect(
            try await DaemonReport.addresses(ofHost: String(repeating: "n", count: 999), within: .seconds(10)).isEmpty
        )
        await daemon.stop()
    }
}
