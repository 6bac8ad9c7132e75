import AccessoryModel
import CastSender
import HAPCore
import HAPServer
import HostTestSupport
import Simulation
import TestSupport
import Testing

@testable import CastDriver
@testable import Hosting

/// A television of HomeKit in front of a receiver that another process serves.
@Suite(.timeLimit(.minutes(5)))
struct ChromecastDriverTests {
    private static let services = """
        services:
          - type: Television
            characteristics: { Active: Inactive, ActiveIdentifier: 1, RemoteKey: null, CurrentMediaState: Stop,
              TargetMediaState: Stop, ConfiguredName: TV, SleepDiscoveryMode: AlwaysDiscoverable }
          - { type: InputSource, id: Player, name: Default Media Receiver, characteristics: { Identifier: 1,
              ConfiguredName: Player } }
          - { type: InputSource, id: Quiz, name: Game, characteristics: { Identifier: 2, ConfiguredName: Game } }
          - { type: Speaker, characteristics: { Mute: false, Volume: 10, VolumeControlType: Absolute,
              VolumeSelector: null } }

        """

    /// A host with one accessory, whose key is `TV`.
    fileprivate struct Stage {
        let host: AccessoryHost
        let folder = Result { try TemporaryFolder() }

        var server: AccessoryServer { host.servers[0].server }
        var driver: HostedDriver { get throws { try #require(host.servers[0].drivers.all["TV"]) } }

        init(_ driver: String) async throws {
            let text = "accessory: TV\ndriver: \(driver)\n\(ChromecastDriverTests.services)"
            let path = try folder.get().write(text, to: "tv.yaml")
            var settings = HostSettings.testing
            settings.drivers = { [.cast, .chromecast] }
            host = AccessoryHost(testing: settings)
            try await host.start(HostedContent.load([NamedFile(path)], nil).served)
            await host.waitForListeners()
        }

        func id(_ service: ServiceType, _ type: CharacteristicType) async throws -> CharacteristicID {
            try #require(
                await server.id(of: CharacteristicKey(accessory: "TV", service: ServiceKey(service), type: type))
            )
        }

        func value(_ service: ServiceType, _ type: CharacteristicType) async throws -> CharacteristicValue? {
            await server.value(of: try await id(service, type))
        }

        func write(_ service: ServiceType, _ type: CharacteristicType, _ value: CharacteristicValue) async throws
            -> HAPStatus?
        {
            await server.write([CharacteristicWrite(try await id(service, type), value)]).first
        }
    }

    private static func receiver() async throws -> Stage {
        try await Stage("{ cast: { port: 0, apps: [{ id: QUIZ, name: Quiz, namespaces: ['urn:x-cast:a.b'] }] } }")
    }

    private static func television(of receiver: Stage, _ more: String = "") async throws -> Stage {
        let port = try #require(try receiver.driver.endpoints.first).port
        let apps = "apps: [{ id: QUIZ, input: Game }]"
        return try await Stage("{ chromecast: { address: 127.0.0.1, port: \(port), \(apps)\(more) } }")
    }

    @Test
    func bothTelevisionsAreOneDevice() async throws {
        let receiver = try await Self.receiver()
        let television = try await Self.television(of: receiver)
        try await eventually("the volume of the receiver is known") {
            try await television.value(.speaker, .volume) == 10 && television.driver.isReachable
        }
        // On starts the app of the input, and an input its own app.
        #expect(try await television.write(.television, .active, 1) == .success)
        try await eventually("the receiver is on") { try await receiver.value(.television, .active) == 1 }
        #expect(try await television.write(.television, .activeIdentifier, 2) == .success)
        try await eventually("the other app runs") { await television.reading("app") == .text("Quiz") }
        // What another sender loads is seen, and its film is paused from here.
        _ = try await receiver.driver.perform(
            DriverAction("load", ["contentId": "film", "duration": "600", "title": "Film"])
        )
        try await eventually("it plays") { try await television.value(.television, .currentMediaState) == 0 }
        #expect(await television.reading("title") == .text("Film"))
        #expect(try await television.write(.television, .targetMediaState, 1) == .success)
        #expect(try await receiver.value(.television, .currentMediaState) == 1)
        let pressed = try await television.write(.television, .remoteKey, 11)
        #expect(pressed == .success)
        #expect(try await receiver.value(.television, .currentMediaState) == 0)
        // The volume in both directions, and by the remote.
        #expect(try await television.write(.speaker, .volume, 30) == .success)
        #expect(try await receiver.value(.speaker, .volume) == 30)
        #expect(try await television.write(.speaker, .volumeSelector, 0) == .success)
        try await eventually("it is louder") { try await television.value(.speaker, .volume) == 35 }
        #expect(try await receiver.write(.speaker, .mute, true) == .success)
        try await eventually("it is muted") { try await television.value(.speaker, .mute) == true }
        // Off stops the app.
        #expect(try await television.write(.television, .active, 0) == .success)
        try await eventually("the app has ended") {
            await receiver.server.readings(of: ServiceKey(.television)).first { $0.name == "app" }?.value == .text("")
        }
        try await eventually("the television is off") { try await television.value(.television, .active) == 0 }
        // Nothing plays, so nothing can.
        #expect(try await television.write(.television, .targetMediaState, 0) == .success)
        #expect(try await television.value(.television, .targetMediaState) == 2)
        await television.host.stop()
        await receiver.host.stop()
    }

    @Test
    func anAbsentReceiverIsOffAndKeepsItsValues() async throws {
        let receiver = try await Self.receiver()
        let television = try await Self.television(of: receiver)
        _ = try await receiver.driver.perform(DriverAction("load", ["contentId": "film", "duration": "600"]))
        try await eventually("it plays") { try await television.value(.television, .active) == 1 }
        await receiver.host.stop()
        try await eventually("it is off") { try await television.value(.television, .active) == 0 }
        #expect(try television.driver.isReachable)
        #expect(try await television.value(.television, .currentMediaState) == 2)
        #expect(try await television.value(.speaker, .volume) == 10)
        #expect(try await television.write(.television, .active, 1) == .unableToPerform)
        #expect(try await television.write(.television, .active, 0) == .success)
        await #expect(throws: SimulationError.self) { try await television.driver.perform(DriverAction("play")) }
        await television.host.stop()
    }

    @Test
    func anAbsentReceiverDoesNotRespondIfTheFileSaysSo() async throws {
        let television = try await Stage("{ chromecast: { address: 127.0.0.1, port: 9, absent: noResponse } }")
        try await eventually("the driver runs") { try television.driver.state == .running }
        #expect(try !television.driver.isReachable)
        await television.host.stop()
    }

    @Test
    func aReceiverProvesItsDeviceOverTLS() async throws {
        let receiver = try await Self.receiver()
        let port = try #require(try receiver.driver.endpoints.first).port
        let device = CastSender.CastDevice(host: "127.0.0.1", port: port)
        let session = CastSession(with: device)
        try await session.connect()
        let fingerprint = try await session.deviceFingerprint()
        #expect(fingerprint.count == 64)
        await session.end()
        var configuration = CastSession.Configuration()
        configuration.deviceFingerprint = fingerprint
        let known = CastSession(with: device, configuration)
        try await known.connect()
        await known.end()
        configuration.deviceFingerprint = String(repeating: "0", count: 64)
        let other = CastSession(with: device, configuration)
        await #expect(throws: CastSenderError.self) { try await other.connect() }
        guard case .ended(.failed(.untrusted)) = other.state else {
            Issue.record("The receiver is trusted: \(other.state)")
            return
        }
        await receiver.host.stop()
    }
}

extension ChromecastDriverTests.Stage {
    fileprivate func reading(_ name: String) async -> DeviceReading.Value? {
        await (try? driver)?.readings.first { $0.name == name }?.value
    }
}
