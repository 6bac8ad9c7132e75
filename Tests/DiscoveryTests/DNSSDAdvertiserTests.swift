import Discovery
import Glibc
import HAPCore
import TestSupport
import Testing

/// Tests the advertiser with a real daemon on the loopback interface.
@Suite(
    .serialized,
    .enabled(if: PrivateDaemon.isAvailable, "needs dbus-daemon, avahi-daemon, avahi-browse, unshare and ip"),
    .timeLimit(.minutes(10))
)
struct DNSSDAdvertiserTests {
    private let queue: DiscoveryQueue

    init() {
        PrivateDaemon.prepareEnvironment()
        queue = DiscoveryQueue()
    }

    @Test func serviceIsFoundWithEveryKeyThenUpdatedThenRemoved() async throws {
        try await withDaemon { daemon in
            try await daemon.startAvahi()
            let log = StateLog()
            let advertiser = DNSSDAdvertiser(on: queue)
            var announcement = try garage()

            advertiser.start(announcement.record, onState: log.append)
            #expect(await advertiser.firstOutcome() == .advertised("Kilgo Garage"))
            try await eventually("the service is found") { daemon.browse()["Kilgo Garage"] != nil }
            let found = try #require(daemon.browse()["Kilgo Garage"])
            #expect(found.port == 51_826)
            // Avahi announces both addresses of the loopback, in any order.
            #expect(["127.0.0.1", "::1"].contains(found.address))
            #expect(
                found.txtRecord == [
                    "c#": "1", "ff": "0", "id": "C8:D8:58:C6:63:F5", "md": "KG-100", "pv": "1.1", "s#": "1",
                    "sf": "1", "ci": "4", "sh": "712Omw==",
                ]
            )

            announcement.isPaired = true
            advertiser.update(announcement.record)
            try await eventually("sf=0 is seen") {
                daemon.browse()["Kilgo Garage"]?.txtRecord["sf"] == "0"
            }

            announcement.name = InstanceName("Kilgo's New Garage")
            announcement.port = 51_827
            advertiser.update(announcement.record)
            try await eventually("the new name and port are seen, and the old ones have disappeared") {
                let services = daemon.browse()
                return services["Kilgo Garage"] == nil && services["Kilgo's New Garage"]?.port == 51_827
            }

            await advertiser.stop()
            try await eventually("the service has disappeared") { daemon.browse().isEmpty }
            #expect(
                log.states == [
                    .registering, .advertised("Kilgo Garage"),
                    .registering, .advertised("Kilgo's New Garage"),
                    .withdrawing, .stopped,
                ]
            )
        }
    }

    @Test func serviceOfAnotherTypeIsFoundAndItsTextUpdated() async throws {
        try await withDaemon { daemon in
            try await daemon.startAvahi()
            let advertiser = DNSSDAdvertiser(on: queue)
            func record(_ state: String) -> ServiceRecord {
                var text = TXTRecord()
                text.append("st", state)
                let name = InstanceName("Television")
                // The index of the loopback interface.
                return ServiceRecord(type: "_googlecast._tcp", name: name, port: 8_009, text: text, interface: 1)
            }
            advertiser.start(record("0")) { _ in }
            #expect(await advertiser.firstOutcome() == .advertised("Television"))
            try await eventually("the service is found") {
                daemon.browse("_googlecast._tcp")["Television"]?.port == 8_009
            }
            advertiser.update(record("1"))
            try await eventually("its text is updated") {
                daemon.browse("_googlecast._tcp")["Television"]?.txtRecord["st"] == "1"
            }
            #expect(daemon.browse().isEmpty)
            await advertiser.stop()
            try await eventually("the service has disappeared") { daemon.browse("_googlecast._tcp").isEmpty }
        }
    }

    @Test func missingBusIsReportedAndTheServiceIsFoundOnceTheDaemonRuns() async throws {
        let log = StateLog()
        let advertiser = DNSSDAdvertiser(on: queue)
        advertiser.start(try garage().record, onState: log.append)
        #expect(await advertiser.firstOutcome().isUnavailable(.noBus))
        #expect(DiscoveryError.noBus.remedy.contains("systemctl start dbus avahi-daemon"))

        try await withDaemon { daemon in
            try await eventually("the missing daemon is reported") { log.states.last?.isUnavailable(.noDaemon) == true }
            #expect(DiscoveryError.noDaemon.remedy.contains("systemctl start avahi-daemon"))
            try await daemon.startAvahi()
            try await eventually("the service is found without further action") {
                log.states.last == .advertised("Kilgo Garage") && daemon.browse()["Kilgo Garage"] != nil
            }
            await advertiser.stop()
        }
        #expect(
            log.statesWithoutRetryDelays == [
                .registering, .unavailable(.noBus, retryIn: .zero), .unavailable(.noDaemon, retryIn: .zero),
                .advertised("Kilgo Garage"),
                .withdrawing, .stopped,
            ]
        )
    }

    @Test func restartedDaemonHasTheServiceWithItsLatestText() async throws {
        try await withDaemon { daemon in
            try await daemon.startAvahi()
            let log = StateLog()
            let advertiser = DNSSDAdvertiser(on: queue)
            var announcement = try garage()
            advertiser.start(announcement.record, onState: log.append)
            #expect(await advertiser.firstOutcome() == .advertised("Kilgo Garage"))

            await daemon.killAvahi()
            try await eventually("the loss is seen") { log.states.last?.isUnavailable(.noDaemon) == true }
            announcement.configurationNumber = 7
            advertiser.update(announcement.record)
            try await daemon.startAvahi()
            try await eventually("the service is found again") {
                daemon.browse()["Kilgo Garage"]?.txtRecord["c#"] == "7"
            }
            await advertiser.stop()
        }
    }

    @Test func restartedBusLosesNoService() async throws {
        let log = StateLog()
        let advertiser = DNSSDAdvertiser(on: queue)
        try await withDaemon { daemon in
            try await daemon.startAvahi()
            advertiser.start(try garage().record, onState: log.append)
            #expect(await advertiser.firstOutcome() == .advertised("Kilgo Garage"))
        }
        try await eventually("the loss is seen") { log.states.last?.isUnavailable(.noBus) == true }
        try await withDaemon { daemon in
            try await daemon.startAvahi()
            try await eventually("the service is found again") {
                daemon.browse()["Kilgo Garage"] != nil
            }
            await advertiser.stop()
        }
    }

    @Test func resumedDaemonHasTheLatestText() async throws {
        try await withDaemon { daemon in
            try await daemon.startAvahi()
            let advertiser = DNSSDAdvertiser(on: queue)
            var announcement = try garage()
            advertiser.start(announcement.record) { _ in }
            #expect(await advertiser.firstOutcome() == .advertised("Kilgo Garage"))

            try await daemon.signalAvahi(SIGSTOP)
            announcement.isPaired = true
            advertiser.update(announcement.record)
            // Waits: until the update has been sent, which has no signal.
            try await Task.sleep(for: .seconds(3))
            try await daemon.signalAvahi(SIGCONT)
            try await eventually("the text that was sent in the meantime is seen") {
                daemon.browse()["Kilgo Garage"]?.txtRecord["sf"] == "0"
            }
            await advertiser.stop()
        }
    }

    @Test func stoppingDoesNotWaitForAHangingDaemon() async throws {
        try await withDaemon { daemon in
            try await daemon.startAvahi()
            let advertiser = DNSSDAdvertiser(on: queue)
            advertiser.start(try garage().record) { _ in }
            #expect(await advertiser.firstOutcome() == .advertised("Kilgo Garage"))
            try await daemon.signalAvahi(SIGSTOP)
            let duration = await ContinuousClock().measure { await advertiser.stop() }
            #expect(duration < .seconds(25), "the timeout of the bus is 25 seconds")
            try await daemon.signalAvahi(SIGCONT)
            try await eventually("the goodbye follows") { daemon.browse().isEmpty }
        }
    }

    @Test func vanishedServiceIsReportedAndFoundAgainLater() async throws {
        try await withDaemon { daemon in
            try await daemon.startAvahi()
            let log = StateLog()
            let advertiser = DNSSDAdvertiser(on: queue)
            advertiser.start(try garage().record, onState: log.append)
            #expect(await advertiser.firstOutcome() == .advertised("Kilgo Garage"))
            try await eventually("the service is found") { daemon.browse()["Kilgo Garage"] != nil }

            #expect(try await daemon.runInAvahiNetwork("ip link set lo down"))
            try await eventually("the loss is reported") { log.states.last?.isUnavailable(.notFound) == true }
            #expect(try await daemon.runInAvahiNetwork("ip link set lo up"))
            try await eventually("the service is found again") {
                log.states.last == .advertised("Kilgo Garage") && daemon.browse()["Kilgo Garage"] != nil
            }
            await advertiser.stop()
        }
    }

    @Test func severalServersRecoverWithTheirDaemon() async throws {
        try await withDaemon { daemon in
            try await daemon.startAvahi()
            let names = (1...12).map { "Lamp \($0)" }
            let logs = names.map { _ in StateLog() }
            let advertisers = try zip(names, logs)
                .map { name, log in
                    let advertiser = DNSSDAdvertiser(on: queue)
                    advertiser.start(try garage(named: name).record, onState: log.append)
                    return advertiser
                }
            try await eventually("all are found") { Set(daemon.browse().keys) == Set(names) }
            await daemon.killAvahi()
            try await eventually("all report the loss") {
                logs.allSatisfy { $0.states.last?.isUnavailable(.noDaemon) == true }
            }
            try await daemon.startAvahi()
            try await eventually("all are found again") {
                Set(daemon.browse().keys) == Set(names)
            }
            for advertiser in advertisers {
                await advertiser.stop()
            }
        }
    }

    @Test func twoServersWithOneNameAreBothFound() async throws {
        try await withDaemon { daemon in
            try await daemon.startAvahi()
            let first = DNSSDAdvertiser(on: queue)
            let second = DNSSDAdvertiser(on: queue)
            first.start(try garage(port: 1).record) { _ in }
            #expect(await first.firstOutcome() == .advertised("Kilgo Garage"))
            second.start(try garage(port: 2).record) { _ in }
            #expect(await second.firstOutcome() == .advertised(name: "Kilgo Garage 2", requested: "Kilgo Garage"))
            try await eventually("both are found") {
                let services = daemon.browse()
                return services["Kilgo Garage"]?.port == 1 && services["Kilgo Garage 2"]?.port == 2
            }
            await first.stop()
            try await eventually("only the second service is left") {
                Array(daemon.browse().keys) == ["Kilgo Garage 2"]
            }
            await second.stop()
        }
    }

    @Test func stoppingAtOnceOrBeforeTheStartLeaksNothing() async throws {
        try await withDaemon { daemon in
            try await daemon.startAvahi()
            let hasty = DNSSDAdvertiser(on: queue)
            hasty.start(try garage(named: "Hasty").record) { _ in }
            await hasty.stop()
            await hasty.stop()
            #expect(await hasty.firstOutcome() == .stopped)

            let never = DNSSDAdvertiser(on: queue)
            await never.stop()
            never.start(try garage(named: "Never").record) { _ in }
            #expect(await never.firstOutcome() == .stopped)

            let witness = DNSSDAdvertiser(on: queue)
            witness.start(try garage(named: "Witness").record) { _ in }
            try await eventually("the witness is found") { daemon.browse()["Witness"] != nil }
            #expect(Array(daemon.browse().keys) == ["Witness"])
            await witness.stop()
        }
    }

    /// Each server needs one connection to the bus, and all servers share one for the check; the daemon and
    /// `avahi-browse` need one each.
    @Test func serversBeyondTheBusLimitReportItAndRegisterOnceOthersStop() async throws {
        try await withDaemon(maximumConnections: 12) { daemon in
            try await daemon.startAvahi()
            let logs = (1...13).map { _ in StateLog() }
            var advertisers = try logs.enumerated()
                .map { index, log in
                    let advertiser = DNSSDAdvertiser(on: queue)
                    advertiser.start(try garage(named: "Lamp \(index + 1)").record, onState: log.append)
                    return advertiser
                }
            try await eventually("10 servers are advertised and 3 report the limit") {
                logs.count { $0.states.last?.isAdvertised == true } == 10
                    && logs.count { $0.states.last?.isUnavailable(.limit) == true } == 3
            }
            for _ in 1...5 {
                await advertisers.removeFirst().stop()
            }
            try await eventually("the others are advertised") {
                logs.suffix(8).allSatisfy { $0.states.last?.isAdvertised == true }
            }
            try await eventually("the 8 remaining services are found") { daemon.browse().count == 8 }
            for advertiser in advertisers {
                await advertiser.stop()
            }
        }
    }

    private func withDaemon(
        maximumConnections: Int = 256,
        _ body: (PrivateDaemon) async throws -> Void
    ) async throws {
        let daemon = try await PrivateDaemon(maximumConnections: maximumConnections)
        do {
            try await body(daemon)
        } catch {
            await daemon.stop()
            throw error
        }
        await daemon.stop()
    }
}
