import Discovery
import HAPCore
import Testing

@testable import HAPController

struct AccessoryFinderTests {
    private static let id = "C8:D8:58:C6:63:F5"
    private static let deviceID = DeviceID(id)
    private static let garage = DiscoveredAccessory(
        name: "Garage",
        host: "g.local",
        addresses: ["192.0.2.1", "fe80::1%2"],
        port: 51_826,
        text: ["id": id, "c#": "7", "sh": "712Omw=="]
    )
    private static let lamp = DiscoveredAccessory(
        name: "Lamp",
        host: "l.local",
        addresses: ["192.0.2.2"],
        port: 80,
        text: ["id": "11:22:33:AA:BB:CC", "sh": "odd"]
    )

    @Test func accessoryIsFoundAtAllItsAddresses() async throws {
        let id = try #require(Self.deviceID)
        let endpoints = try await finder(reporting: [.available, .appeared(Self.lamp), .appeared(Self.garage)])
            .endpoints(of: id)
        #expect(
            endpoints == [
                AccessoryEndpoint(host: "192.0.2.1", port: 51_826, configurationNumber: 7, name: "Garage"),
                AccessoryEndpoint(host: "fe80::1%2", port: 51_826, configurationNumber: 7, name: "Garage"),
            ]
        )
    }

    @Test func accessoryAnnouncedTwiceIsFoundAtBothEndpoints() async throws {
        var renamed = Self.garage
        renamed.name = "Shed"
        renamed.addresses = ["192.0.2.9"]
        let endpoints = try await finder(reporting: [.appeared(Self.garage), .appeared(renamed), .available])
            .endpoints(of: try #require(Self.deviceID))
        #expect(endpoints.map(\.host) == ["192.0.2.1", "fe80::1%2", "192.0.2.9"])
    }

    @Test func missingAccessoryIsNotFoundOnceTheListIsComplete() async throws {
        let endpoints = try await finder(
            reporting: [
                .available, .appeared(Self.garage), .disappeared(Self.garage), .appeared(Self.lamp), .allForNow,
            ],
            timeout: .zero
        )
        .endpoints(of: try #require(Self.deviceID))
        #expect(endpoints.isEmpty)
    }

    @Test func searchWithoutDaemonFailsAtOnceWithRemedy() async throws {
        let id = try #require(Self.deviceID)
        let finder = finder(reporting: [.unavailable(DiscoveryError.noDaemon.forBrowsing)])
        let error = await #expect(throws: ControllerError.self) { try await finder.endpoints(of: id) }
        #expect(error?.code == .discovery)
        #expect(error?.remedy.contains("avahi-daemon") == true)
    }

    @Test func searchCancelledBeforeAnyResponseFails() async throws {
        let id = try #require(Self.deviceID)
        let task = Task { try await finder(reporting: []).endpoints(of: id) }
        task.cancel()
        await #expect(throws: ControllerError.self) { try await task.value }
    }

    @Test func setupIDFindsTheAccessoryThatAnnouncesItsHash() async throws {
        let updates = [DiscoveryUpdate.available, .appeared(Self.lamp), .appeared(Self.garage), .allForNow]
        let finder = finder(reporting: updates, timeout: .zero)
        #expect(try await finder.deviceID(matching: try #require(SetupID("7OSX"))) == Self.deviceID)
        #expect(try await finder.deviceID(matching: try #require(SetupID("A1B2"))) == nil)
    }

    @Test func onlyAnnouncementsOfTheAccessoryAreReported() async throws {
        let id = try #require(Self.deviceID)
        var moved = Self.garage
        moved.addresses = ["192.0.2.9"]
        let updates: [DiscoveryUpdate] = [
            .available, .appeared(Self.lamp), .appeared(Self.garage), .allForNow, .changed(moved), .disappeared(moved),
        ]
        var announcements = finder(reporting: updates).announcements(of: id).makeAsyncIterator()
        #expect(await announcements.next() == Self.garage)
        #expect(await announcements.next() == moved)
        let noDaemon = DiscoveryUpdate.unavailable(.noDaemon)
        var silence = finder(reporting: [noDaemon]).announcements(of: id).makeAsyncIterator()
        #expect(await silence.next() == .some(nil))
        let task = Task {
            for await _ in finder(reporting: updates).announcements(of: id) {}
        }
        task.cancel()
        await task.value
    }

    @Test func forgedAccessoriesOfOneDeviceIDAreFoundUpToALimit() async throws {
        let forged = (0..<10_000)
            .map { number in
                var garage = Self.garage
                garage.name = "\(number)"
                return DiscoveryUpdate.appeared(garage)
            }
        let endpoints = try await finder(reporting: [.available] + forged).endpoints(of: try #require(Self.deviceID))
        #expect(!endpoints.isEmpty)
        #expect(endpoints.count <= AccessorySearchState.maximumMatches * Self.garage.addresses.count)
    }

    /// Returns a resolver that receives these updates and then nothing more.
    private func finder(reporting updates: [DiscoveryUpdate], timeout: Duration = .seconds(60))
        -> DiscoveryEndpointResolver
    {
        DiscoveryEndpointResolver(patience: timeout) {
            AsyncStream { continuation in
                for update in updates {
                    continuation.yield(update)
                }
            }
        }
    }
}
