import AccessoryFiles
import AccessoryModel
import Cast
import Certificates
import Foundation
import HAPCore
import HAPServer
import HostTestSupport
import Simulation
import TestSupport
import Testing

@testable import CastDriver
@testable import Hosting

/// A receiver behind a served television, with senders on sockets.
@Suite(.timeLimit(.minutes(5)))
struct CastDriverTests {
    private static let definition = """
        accessory: Living Room
        driver: { cast: { port: 0, apps: [{ id: QUIZ, name: Quiz, namespaces: ['urn:x-cast:com.example.quiz'] }] } }
        services:
          - type: Television
            characteristics: { Active: Inactive, ActiveIdentifier: 1, RemoteKey: null, CurrentMediaState: Stop,
              TargetMediaState: Stop, ConfiguredName: TV, SleepDiscoveryMode: AlwaysDiscoverable }
          - { type: InputSource, id: Antenna, name: Antenna, characteristics: { Identifier: 1, ConfiguredName: Antenna } }
          - { type: InputSource, id: Quiz, name: Quiz, characteristics: { Identifier: 2, ConfiguredName: Quiz } }
          - { type: Speaker, characteristics: { Mute: false, Volume: 40, VolumeControlType: Absolute } }
        """

    /// A served television with its receiver.
    private struct Stage {
        let host: AccessoryHost
        let folder: TemporaryFolder

        var server: AccessoryServer { host.servers[0].server }
        var driver: HostedDriver { get throws { try #require(host.servers[0].drivers.all["Living Room"]) } }
        var port: UInt16 { get throws { try #require(driver.endpoints.first).port } }

        init(_ definition: String = CastDriverTests.definition, observers: [any HostObserver] = []) async throws {
            folder = try TemporaryFolder()
            let path = try folder.write(definition, to: "tv.yaml")
            var settings = HostSettings.paused
            settings.drivers = { [.cast] }
            host = AccessoryHost(testing: settings, observers: observers)
            try await host.start(HostedContent.load([NamedFile(path)], nil).served)
            await host.waitForListeners()
        }

        func id(_ service: ServiceType, _ type: CharacteristicType) async throws -> CharacteristicID {
            let key = CharacteristicKey(accessory: "Living Room", service: ServiceKey(service), type: type)
            return try #require(await server.id(of: key))
        }

        func value(_ service: ServiceType, _ type: CharacteristicType) async throws -> CharacteristicValue? {
            await server.value(of: try await id(service, type))
        }

        @discardableResult
        func ask(_ name: String, _ arguments: [String: String] = [:]) async throws -> String {
            try await driver.perform(DriverAction(name, arguments))
        }
    }

    @Test
    func aSenderAndHomeKitSeeOneDevice() async throws {
        let stage = try await Stage()
        let sender = try await TestSender(port: stage.port)
        try await sender.send("CONNECT", CastNamespace.connection)
        try await sender.send("LAUNCH", ["appId": "QUIZ"], CastNamespace.receiver)
        try await eventually("the television is on") { try await stage.value(.television, .active) == 1 }
        #expect(try await stage.value(.television, .activeIdentifier) == 2)
        let session = try await sender.session()
        try await sender.send("CONNECT", CastNamespace.connection, to: session)
        try await sender.send(
            "LOAD",
            ["media": .object(["contentId": "a", "duration": 60])],
            CastNamespace.media,
            to: session
        )
        try await eventually("the content plays") { try await stage.value(.television, .currentMediaState) == 0 }
        // HomeKit pauses it, and the sender is told.
        let target = try await stage.id(.television, .targetMediaState)
        #expect(await stage.server.write([CharacteristicWrite(target, 1)]) == [.success])
        try await sender.expect { $0.objects("status")?.first?.text("playerState") == "PAUSED" }
        // The volume is that of the service Speaker.
        let volume = try await stage.id(.speaker, .volume)
        #expect(await stage.server.write([CharacteristicWrite(volume, 25)]) == [.success])
        try await sender.expect { $0.object("status")?.object("volume")?.number("level") == 0.25 }
        try await sender.send("SET_VOLUME", ["volume": .object(["level": 0.5])], CastNamespace.receiver)
        try await eventually("the speaker follows") { try await stage.value(.speaker, .volume) == 50 }
        // Off ends the app, and the former input is shown.
        let active = try await stage.id(.television, .active)
        #expect(await stage.server.write([CharacteristicWrite(active, 0)]) == [.success])
        try await sender.expect { $0.text("type") == "CLOSE" }
        #expect(try await stage.value(.television, .activeIdentifier) == 1)
        #expect(try await stage.value(.television, .currentMediaState) == 2)
        sender.close()
        await stage.host.stop()
    }

    @Test
    func whatHomeKitWroteForAnAppEndsWithIt() async throws {
        let stage = try await Stage()
        try await stage.ask("load", ["contentId": "film", "duration": "100"])
        let target = try await stage.id(.television, .targetMediaState)
        #expect(await stage.server.write([CharacteristicWrite(target, 1)]) == [.success])
        #expect(try await stage.value(.television, .currentMediaState) == 1)
        try await stage.ask("quit")
        #expect(try await stage.value(.television, .currentMediaState) == 2)
        #expect(try await stage.value(.television, .targetMediaState) == 2)
        await stage.host.stop()
    }

    @Test
    func aTelevisionThatWasOnRunsTheAppOfItsInputAfterAStart() async throws {
        let text = Self.definition
            .replacing("Active: Inactive, ActiveIdentifier: 1,", with: "Active: Active, ActiveIdentifier: 2,")
            .replacing("CurrentMediaState: Stop", with: "CurrentMediaState: Play")
            .replacing("TargetMediaState: Stop", with: "TargetMediaState: Play")
        let stage = try await Stage(text)
        try await eventually("the app runs") {
            await stage.server.readings(of: ServiceKey(.television)).first { $0.name == "app" }?.value == .text("Quiz")
        }
        #expect(try await stage.value(.television, .currentMediaState) == 2)
        await stage.host.stop()
    }

    @Test
    func aFilmPassesInNoTimeAndEndsNoConnection() async throws {
        let stage = try await Stage()
        let sender = try await TestSender(port: stage.port)
        try await sender.send("CONNECT", CastNamespace.connection)
        try await stage.ask("load", ["contentId": "film", "duration": "7200"])
        #expect(try await stage.value(.television, .currentMediaState) == 0)
        try await stage.host.advance(by: .seconds(7_201))
        #expect(try await stage.value(.television, .currentMediaState) == 2)
        try await sender.send("PING", CastNamespace.heartbeat)
        try await sender.expect { $0.text("type") == "PONG" }
        sender.close()
        await stage.host.stop()
    }

    @Test
    func keysOfTheRemoteDriveTheMedia() async throws {
        let stage = try await Stage()
        try await stage.ask("load", ["contentId": "film", "duration": "100", "currentTime": "50"])
        func reading(_ name: String) async -> DeviceReading? {
            await stage.server.readings(of: ServiceKey(.television)).first { $0.name == name }
        }
        let key = try await stage.id(.television, .remoteKey)
        #expect(await stage.server.write([CharacteristicWrite(key, 0)]) == [.success])
        #expect(await reading("position")?.number == 40)
        #expect(await stage.server.write([CharacteristicWrite(key, 11)]) == [.success])
        #expect(await reading("player")?.value == .text("PAUSED"))
        await stage.host.stop()
    }

    @Test
    func actionsSayWhatIsNotPossible() async throws {
        let stage = try await Stage()
        for (name, arguments) in [
            ("play", [:]), ("launch", ["app": "Nothing"]), ("load", [:]), ("rate", ["playbackRate": "9"]), ("end", [:]),
            ("send", ["text": "x"]), ("seek", ["currentTime": "x"]),
        ] as [(String, [String: String])] {
            await #expect(throws: SimulationError.self, "\(name)") { () async throws in
                try await stage.ask(name, arguments)
            }
        }
        try await stage.ask("launch", ["app": "Quiz"])
        #expect(try await stage.ask("send", ["text": "news"]) == "Sent to 0 senders.")
        await stage.host.stop()
    }

    @Test
    func aReloadWithTheSameParametersKeepsTheAppAndItsSenders() async throws {
        let stage = try await Stage()
        let sender = try await TestSender(port: stage.port)
        try await sender.send("CONNECT", CastNamespace.connection)
        try await stage.ask("load", ["contentId": "film", "duration": "60"])
        try await sender.send("GET_STATUS", CastNamespace.receiver)
        let session = try await sender.session()
        try await sender.send("CONNECT", CastNamespace.connection, to: session)
        try await sender.send("GET_STATUS", CastNamespace.media, to: session)
        try await sender.expect { $0.text("type") == "MEDIA_STATUS" }
        let path = try stage.folder.write(
            Self.definition.replacing("ConfiguredName: TV", with: "ConfiguredName: Set"),
            to: "tv.yaml"
        )
        let content = try HostedContent.load([NamedFile(path)], nil).served[0]
        _ = try await stage.host.replace(stage.host.servers[0].id, with: content)
        #expect(try await stage.value(.television, .currentMediaState) == 0)
        try await stage.ask("pause")
        try await sender.expect { $0.objects("status")?.first?.text("playerState") == "PAUSED" }
        await stage.host.stop()
    }

    @Test
    func anInputThatIsChosenWhileTheTelevisionIsTurnedOnIsShown() async throws {
        let stage = try await Stage()
        let active = try await stage.id(.television, .active)
        let input = try await stage.id(.television, .activeIdentifier)
        let writes = [CharacteristicWrite(active, 1), CharacteristicWrite(input, 1)]
        #expect(await stage.server.write(writes) == [.success, .success])
        #expect(try await stage.value(.television, .activeIdentifier) == 1)
        let readings = await stage.server.readings(of: ServiceKey(.television))
        #expect(readings.first { $0.name == "app" }?.value == .text(""))
        await stage.host.stop()
    }

    @Test
    func aReceiverKeepsItsIdentity() async throws {
        let stage = try await Stage()
        let root = try #require(try stage.driver.endpoints.first?.certificate)
        let id = stage.host.servers[0].id
        let path = try stage.folder.write(Self.definition.replacing("name: Quiz,", with: "name: Quiz2,"), to: "tv.yaml")
        let content = try HostedContent.load([NamedFile(path)], nil).served[0]
        _ = try await stage.host.replace(id, with: content)
        await stage.host.waitForListeners()
        #expect(try stage.driver.endpoints.first?.certificate == root)
        #expect(root.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
        await stage.host.stop()
    }

    @Test
    func whatIsNoMessageEndsTheConnectionAndNothingElse() async throws {
        let stage = try await Stage()
        let other = try await TestSender(port: stage.port)
        for bytes in [[0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 2, 0x10, 1]] as [[UInt8]] {
            let sender = try await TestSender(port: stage.port)
            try await sender.write(bytes)
            try await sender.expectEnd()
        }
        let deep = String(repeating: "[", count: 60_000)
        try await other.send(.text(deep), CastNamespace.receiver)
        try await other.send("GET_STATUS", CastNamespace.receiver)
        try await other.expect { $0.text("type") == "RECEIVER_STATUS" }
        other.close()
        await stage.host.stop()
    }

    @Test
    func aChallengeIsAnsweredWithACertificateOfTheRoot() async throws {
        let stage = try await Stage()
        let sender = try await TestSender(port: stage.port)
        let challenge: [UInt8] = [0x0A, 8, 0x08, 1, 0x12, 2, 1, 2, 0x18, 1]
        try await sender.send(.binary(challenge), CastNamespace.deviceAuthentication)
        let answer = try await sender.binary()
        // The response begins with field 2, whose first field is a signature of 256 bytes.
        #expect(answer.first == 0x12 && answer.count > 1_000)
        try await sender.send(.binary([1, 2, 3]), CastNamespace.deviceAuthentication)
        try await sender.expectEnd()
        await stage.host.stop()
    }

    @Test
    func aRenewedCertificateIsForLaterConnections() async throws {
        let (authority, device) = (try RSAKey.generate(), try RSAKey.generate())
        let credentials = try CastCredentials(CastKeys(id: "a", authority: authority, device: device))
        var shown = [credentials.tls.current.certificate]
        var waits: [Duration] = []
        // The third wait is cancelled.
        await #expect(throws: CancellationError.self) {
            try await credentials.renewRepeatedly { wait in
                waits.append(wait)
                if waits.count > 1 { shown.append(credentials.tls.current.certificate) }
                if waits.count == 3 { throw CancellationError() }
            }
        }
        #expect(waits == Array(repeating: .seconds(86_400), count: 3))
        #expect(Set(shown).count == 3)
        // A connection proves the certificate that it has shown, also after the renewal.
        let proof = try credentials.answer(to: AuthenticationChallenge(parsing: [0x0A, 0]), on: shown[0])
        #expect(proof.contains(try device.signature(of: shown[0], hash: .sha1)))
    }

    @Test
    func messagesAreTracedWithoutCredentials() async throws {
        let trace = TracedMessages()
        let stage = try await Stage(observers: [trace])
        let sender = try await TestSender(port: stage.port)
        try await sender.send("GET_STATUS", CastNamespace.receiver)
        try await sender.expect { $0.text("type") == "RECEIVER_STATUS" }
        #expect(trace.messages.isEmpty)
        trace.isWanted.set(true)
        let request: JSONObject = ["appId": "QUIZ", "appParams": .object(["credentials": "secret", "language": "de"])]
        try await sender.send("LAUNCH", request, CastNamespace.receiver)
        try await sender.send(.binary([1, 2, 3]), "urn:x-cast:com.example.quiz")
        try await eventually("three messages are traced") { trace.messages.count >= 3 }
        let launch = try #require(trace.messages.first)
        #expect(launch.direction == .received && launch.peer == 1)
        #expect(launch.source == "sender-0" && launch.destination == "receiver-0")
        #expect(launch.path == CastNamespace.receiver)
        guard case .json(let body) = launch.body else { return #expect(Bool(false), "The body is JSON.") }
        #expect(body.object?.object("appParams") == ["credentials": "(hidden)", "language": "de"])
        #expect(trace.messages.contains { $0.direction == .sent && $0.path == CastNamespace.receiver })
        #expect(
            trace.messages.contains { message in
                if case .hidden(3) = message.body { message.direction == .received } else { false }
            }
        )
        sender.close()
        await stage.host.stop()
    }

    /// What a sender sees of a fault that acts once, at the next message.
    @Test(arguments: [
        "noHeartbeat", "rejectedAuthentication", "busyReceiver", "ignoredVolume", "wrongRequestID", "halfFrame",
    ])
    func aFaultActsOnce(_ fault: String) async throws {
        let stage = try await Stage()
        let sender = try await TestSender(port: stage.port)
        await stage.host.servers[0].faults.inject(Fault(.driver(fault, 0), limit: FaultLimit(count: 1)))
        switch fault {
        case "noHeartbeat":
            try await sender.send("PING", CastNamespace.heartbeat)
            try await sender.send("GET_STATUS", CastNamespace.receiver)
            try await sender.expect { $0.text("type") == "RECEIVER_STATUS" }
            #expect(!sender.has { $0.text("type") == "PONG" })
            try await sender.send("PING", CastNamespace.heartbeat)
            try await sender.expect { $0.text("type") == "PONG" }
        case "rejectedAuthentication":
            try await sender.send(.binary([0x0A, 0]), CastNamespace.deviceAuthentication)
            #expect(try await sender.binary() == [0x1A, 2, 0x08, 0])
        case "busyReceiver":
            try await sender.send("LAUNCH", ["appId": "QUIZ"], CastNamespace.receiver)
            try await sender.expect { $0.text("reason") == "SYSTEM_ERROR" }
        case "ignoredVolume":
            try await sender.send("SET_VOLUME", ["volume": .object(["level": 0.1])], CastNamespace.receiver)
            try await sender.expect { $0.object("status")?.object("volume")?.number("level") == 0.4 }
        case "wrongRequestID":
            try await sender.send("GET_STATUS", CastNamespace.receiver)
            try await sender.expect { $0.integer("requestId") == 1_001 }
        default:
            try await sender.send("GET_STATUS", CastNamespace.receiver)
            try await sender.expectEnd()
        }
        await stage.host.stop()
    }

    @Test
    func aCrashClosesTheApp() async throws {
        let stage = try await Stage()
        let sender = try await TestSender(port: stage.port)
        try await sender.send("CONNECT", CastNamespace.connection)
        try await sender.send("LAUNCH", ["appId": "QUIZ"], CastNamespace.receiver)
        let session = try await sender.session()
        try await sender.send("CONNECT", CastNamespace.connection, to: session)
        await stage.host.servers[0].faults.inject(Fault(.driver("appCrash", 0), limit: FaultLimit(count: 1)))
        try await sender.send("GET_STATUS", CastNamespace.media, to: session)
        try await sender.expect { $0.text("type") == "CLOSE" }
        await stage.host.stop()
    }

    @Test
    func aRebootEndsAllConnectionsAndStartsAgain() async throws {
        let stage = try await Stage()
        let sender = try await TestSender(port: stage.port)
        await stage.host.servers[0].faults.inject(Fault(.driver("receiverReboot", 0), limit: FaultLimit(count: 1)))
        try await sender.send("GET_STATUS", CastNamespace.receiver)
        try await sender.expectEnd()
        try await eventually("it has stopped") { try stage.driver.endpoints.isEmpty }
        try await eventually("it listens again") { try !stage.driver.endpoints.isEmpty }
        let again = try await TestSender(port: stage.port)
        try await again.send("GET_STATUS", CastNamespace.receiver)
        try await again.expect { $0.text("type") == "RECEIVER_STATUS" }
        await stage.host.stop()
    }
}
