import AccessoryModel
import Documents
import HAPCore
import HAPServer
import HostTestSupport
import Synchronization
import TestSupport
import Testing

@testable import Hosting
@testable import Simulation

/// A simulated lamp with a peer on a socket.
@Suite(.timeLimit(.minutes(5)))
struct ConnectedBehaviorTests {
    /// A lamp that its peers switch at once, and that tells them its state five seconds after a write.
    private struct Lamp: ConnectedBehavior {
        private var isOn = false
        private var peers: Set<PeerID> = []
        private var messages: [PeerMessage] = []
        private(set) var nextDeadline: MonotonicInstant?

        mutating func start(
            with values: [CharacteristicType: CharacteristicValue],
            of types: [CharacteristicType],
            at now: MonotonicInstant
        ) -> [BehaviorChange] { [] }

        mutating func write(_ writes: [BehaviorChange], at now: MonotonicInstant) -> BehaviorResponse {
            isOn = writes.last?.value == true
            nextDeadline = now.advanced(by: .seconds(5))
            return BehaviorResponse()
        }

        mutating func advance(to now: MonotonicInstant) -> [BehaviorChange] {
            nextDeadline = nil
            messages += peers.map { PeerMessage(isOn ? "is on" : "is off", to: $0) }
            return []
        }

        mutating func receive(_ event: PeerEvent, at now: MonotonicInstant) -> [BehaviorChange] {
            switch event {
            case .joined(let peer): peers.insert(peer)
            case .left(let peer): peers.remove(peer)
            case .message(let content, _):
                isOn = content as? String == "on"
                return [BehaviorChange(.on, .bool(isOn))]
            }
            return []
        }

        mutating func takeEffects() -> [DeviceEffect] {
            defer { messages = [] }
            return messages.map { .send($0) }
        }

        func readings(at now: MonotonicInstant) -> [DeviceReading] {
            [DeviceReading("peers", Double(peers.count), unit: "")]
        }
    }

    /// Carries texts between the lamp and its peers.
    private struct LampDriver: Driver {
        let port: DriverPort
        let listening: @Sendable (UInt16) -> Void

        func run() async throws {
            let listener = try await port.listen(on: DriverEndpoint(port: 0))
            listening(listener.endpoint.port)
            await withDiscardingTaskGroup { group in
                var number: UInt64 = 0
                for await connection in listener.connections {
                    number += 1
                    let peer = PeerID(number)
                    group.addTask { await serve(connection, peer) }
                }
            }
        }

        private func serve(_ connection: DriverConnection, _ peer: PeerID) async {
            let messages = port.messages(to: peer)
            await port.deliver(.joined(peer))
            async let sending: Void = {
                for await message in messages {
                    try? await connection.send(Array((message.content as? String ?? "").utf8))
                }
            }()
            while let bytes = await connection.receive() {
                await port.deliver(.message(String(decoding: bytes, as: UTF8.self), from: peer))
            }
            await port.deliver(.left(peer))
            await sending
        }
    }

    @Test
    func aLampTalksToItsPeerOnSimulatedTime() async throws {
        let bound = Mutex<UInt16?>(nil)
        let format = Format<String>.text
        let definition = DriverDefinition("lamp", "For tests.", ownership: .none, format: format) { _ in [] }
        let kind = DriverKind(definition) { (_: String, port) in
            LampDriver(port: port) { number in bound.withLock { $0 = number } }
        }
        let information = Service.accessoryInformation(
            name: "Lamp",
            manufacturer: "hap",
            model: "Lamp",
            serialNumber: "12",
            firmware: "1.0"
        )
        let light = Service(
            .lightbulb,
            characteristics: [Characteristic(cataloged: .on, value: false)],
            behavior: Lamp()
        )
        let accessory = Accessory(key: "Lamp", services: [information, .protocolInformation(), light])
        var content = HostedContent(key: "Lamp", name: "Lamp", category: .lighting, accessories: [accessory])
        content.drivers["Lamp"] = DriverSetting("lamp", .null, "", [])
        var settings = HostSettings.paused
        settings.drivers = { [kind] }
        let host = AccessoryHost(testing: settings)
        try await host.start([content])
        let server = host.servers[0].server
        let key = CharacteristicKey(accessory: "Lamp", service: light.key, type: .on)
        let on = try #require(await server.id(of: key))
        func peers() async -> Double? { await server.readings(of: light.key).first?.number }

        try await eventually("it listens") { bound.withLock(\.self) != nil }
        let found = bound.withLock(\.self)
        let port = try #require(found)
        #expect(host.servers[0].drivers.all["Lamp"]?.endpoints.map(\.description) == ["127.0.0.1:\(port)"])
        let run = DriverRun(.idle)
        let peer = try await DriverConnection.connect(to: DriverEndpoint(port: port), for: run)
        try await eventually("the peer has joined") { await peers() == 1 }
        // The driver owns no service, so the lamp answers controllers without it.
        try await peer.send(Array("on".utf8))
        try await eventually("the lamp is on") { await server.value(of: on) == true }
        #expect(await server.write([CharacteristicWrite(on, false)]) == [.success])
        try await host.advance(by: .seconds(5))
        #expect(await peer.receive() == Array("is off".utf8))
        peer.close()
        try await eventually("the peer has left") { await peers() == 0 }
        run.close()
        await host.stop()
    }
}
