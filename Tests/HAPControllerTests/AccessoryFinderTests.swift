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

    @Test func anAccessoryIsAtAllItsAddresses() async throws {
        let id = try #require(Self.deviceID)
        let places = try await finder(telling: [.available, .appeared(Self.lamp), .appeared(Self.garage)])
            .places(of: id)
        #expect(
            places == [
                AccessoryPlace(host: "192.0.2.1", port: 51_826, configurationNumber: 7, name: "Garage"),
                AccessoryPlace(host: "fe80::1%2", port: 51_826, configurationNumber: 7, name: "Garage"),
            ]
        )
    }

    @Test func oneThatIsAnnouncedTwiceIsAtBothPlaces() async throws {
        var renamed = Self.garage
        renamed.name = "Shed"
        renamed.addresses = ["192.0.2.9"]
        let places = try await finder(telling: [.appeared(Self.garage), .appeared(renamed), .available])
            .places(of: try #require(Self.deviceID))
        #expect(places.map(\.host) == ["192.0.2.1", "fe80::1%2", "192.0.2.9"])
    }

    @Test func oneThatIsNotThereIsNowhereOnceEverythingWasTold() async throws {
        let places = try await finder(
            telling: [.available, .appeared(Self.garage), .disappeared(Self.garage), .appeared(Self.lamp), .sawAll],
            patience: .zero
        )
        .places(of: try #require(Self.deviceID))
        #expect(places.isEmpty)
    }

    @Test func withoutADaemonTheSearchFailsAtOnceWithTheWayOut() async throws {
        let id = try #require(Self.deviceID)
        let finder = finder(telling: [.unavailable(DiscoveryError.noDaemon.whenLooking)])
        let error = await #expect(throws: ControllerError.self) { try await finder.places(of: id) }
        #expect(error?.code == .discovery)
        #expect(error?.remedy.contains("avahi-daemon") == true)
    }

    @Test func aSearchThatIsCancelledBeforeAnybodyAnsweredFails() async throws {
        let id = try #require(Self.deviceID)
        let task = Task { try await finder(telling: []).places(of: id) }
        task.cancel()
        await #expect(throws: ControllerError.self) { try await task.value }
    }

    @Test func aSetupIDFindsWhoAnnouncesItsHash() async throws {
        let updates = [DiscoveryUpdate.available, .appeared(Self.lamp), .appeared(Self.garage), .sawAll]
        let finder = finder(telling: updates, patience: .zero)
        #expect(try await finder.deviceID(matching: try #require(SetupID("7OSX"))) == Self.deviceID)
        #expect(try await finder.deviceID(matching: try #require(SetupID("A1B2"))) == nil)
    }

    @Test func anAccessorysAnnouncementsAreToldAsTheyComeAndNobodyElses() async throws {
        let id = try #require(Self.deviceID)
        var moved = Self.garage
        moved.addresses = ["192.0.2.9"]
        let updates: [DiscoveryUpdate] = [
            .available, .appeared(Self.lamp), .appeared(Self.garage), .sawAll, .changed(moved), .disappeared(moved),
        ]
        var announcements = finder(telling: updates).announcements(of: id).makeAsyncIterator()
        #expect(await announcements.next() == Self.garage)
        #expect(await announcements.next() == moved)
        let noDaemon = DiscoveryUpdate.unavailable(.noDaemon)
        var silence = finder(telling: [noDaemon]).announcements(of: id).makeAsyncIterator()
        #expect(await silence.next() == .some(nil))
        let task = Task {
            for await _ in finder(telling: updates).announcements(of: id) {}
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
        let places = try await finder(telling: [.available] + forged).places(of: try #require(Self.deviceID))
        #expect(!places.isEmpty)
        #expect(places.count <= AccessorySearchState.maximumFound * Self.garage.addresses.count)
    }

    /// One that is told this much, and then nothing more.
    private func finder(telling updates: [DiscoveryUpdate], patience: Duration = .seconds(60)) -> AccessoryFinder {
        AccessoryFinder(patience: patience) {
            AsyncStream { continuation in
                for update in updates {
                    continuation.yield(update)
                }
            }
        }
    }
}
