import AccessoryModel
import Foundation
import HAPCore
import Synchronization
import TestSupport
import Testing

@testable import HAPServer

/// A server that serves what a program declares.
@Suite struct EmbeddingTests {
    @Test func controllerWriteArrivesWithItsType() async throws {
        let written = Mutex<[String]>([])
        @Sendable func note(_ text: String) {
            written.withLock { $0.append(text) }
        }
        let lamp = HAPAccessory("Lamp") {
            HAPService(.lightbulb) {
                HAPCharacteristic(.on, false).onWrite { (isOn: Bool) in note("on \(isOn)") }
                HAPCharacteristic(.brightness, 100).onWrite { (percent: Int) in note("brightness \(percent)") }
                HAPCharacteristic(.hue, 0.0).onWrite { (degrees: Double) in note("hue \(degrees)") }
            }
            HAPService(.garageDoorOpener) {
                HAPCharacteristic(.currentDoorState, DoorState.closed)
                HAPCharacteristic(.targetDoorState, DoorState.closed).onWrite { state in note("door \(state)") }
                HAPCharacteristic(.obstructionDetected, false)
            }
        }
        try await TestServer.run(lamp) { server in
            let controller = try await server.session()
            let values: [(CharacteristicType, ServiceType, JSONValue)] = [
                (.on, .lightbulb, true), (.brightness, .lightbulb, 50), (.hue, .lightbulb, 12),
                (.targetDoorState, .garageDoorOpener, 0),
            ]
            for (type, service, value) in values {
                let id = try await server.id(type, of: service, in: "Lamp")
                #expect(try await controller.put(value, to: id).status == 204)
            }
        }
        #expect(written.withLock(\.self) == ["on true", "brightness 50", "hue 12.0", "door open"])
    }

    @Test func controllerReadCallsTheHandler() async throws {
        let temperature = HAPCharacteristic(.currentTemperature, 20.0).onRead { 21.5 }
        try await TestServer.run(Self.sensor(temperature)) { server in
            let controller = try await server.session()
            let id = try await server.id(.currentTemperature, of: .temperatureSensor, in: "Sensor")
            #expect(try await server.server.value(of: temperature) == 20)
            #expect(try await controller.value(of: id) == 21.5)
            #expect(try await server.server.value(of: temperature) == 21.5)
        }
    }

    @Test func handlerReturnsTheWrittenValue() async throws {
        let brightness = HAPCharacteristic(.brightness, 100).handled { percent, _ in percent < 10 ? 10 : nil }
        let lamp = HAPAccessory("Lamp") {
            HAPService(.lightbulb) {
                HAPCharacteristic(.on, false)
                brightness
            }
        }
        try await TestServer.run(lamp) { server in
            let controller = try await server.session()
            let id = try await server.id(.brightness, of: .lightbulb, in: "Lamp")
            #expect(try await controller.put(3, to: id).status == 204)
            #expect(try await server.server.value(of: brightness) == 10)
            #expect(try await controller.put(33, to: id).status == 204)
            #expect(try await server.server.value(of: brightness) == 33)
        }
    }

    @Test func valueSetByTheProgramReachesSubscribers() async throws {
        let temperature = HAPCharacteristic(.currentTemperature, 20.0)
        try await TestServer.run(Self.sensor(temperature)) { server in
            let controller = try await server.session()
            let id = try await server.id(.currentTemperature, of: .temperatureSensor, in: "Sensor")
            try await controller.subscribe(to: id)
            try await server.server.set(temperature, to: 22.5)
            #expect(try await controller.eventValues() == [id: 22.5])
            #expect(try await server.server.value(of: temperature) == 22.5)
        }
    }

    @Test(arguments: [101.0, -300.0, .nan, .infinity])
    func valueOutsideTheMetadataIsRefused(value: Double) async throws {
        let temperature = HAPCharacteristic(.currentTemperature, 20.0)
        try await TestServer.run(Self.sensor(temperature)) { server in
            let error = await #expect(throws: ServerError.self) {
                try await server.server.set(temperature, to: value)
            }
            #expect(error?.code == .value)
            #expect(error?.reason.hasPrefix("Sensor/Temperature Sensor/Current Temperature: ") == true)
            let stored = try await server.server.value(of: temperature)
            #expect(stored == 20)
        }
    }

    @Test func unservedDeclarationHasNoValue() async throws {
        try await TestServer.run(Self.sensor(HAPCharacteristic(.currentTemperature, 20.0))) { server in
            let other = HAPCharacteristic(.currentTemperature, 20.0)
            let error = await #expect(throws: ServerError.self) { try await server.server.set(other, to: 21) }
            #expect(error?.code == .declaration)
            await #expect(throws: ServerError.self) { try await server.server.value(of: other) }
        }
    }

    @Test(arguments: [true, false])
    func identifyCallsTheDeclaredHandler(isPaired: Bool) async throws {
        let gate = Gate()
        let sensor = Self.sensor(HAPCharacteristic(.currentTemperature, 20.0)).onIdentify { await gate.open() }
        try await TestServer.run(sensor, pairings: isPaired ? [Fixture.pairing] : []) { server in
            if isPaired {
                let id = try await server.id(.identify, of: .accessoryInformation, in: "Sensor")
                #expect(try await server.session().put(true, to: id).status == 204)
            } else {
                let response = try await server.connect().request(HTTPRequest(.post, .identify))
                #expect(response.status == 204)
            }
            await gate.waitUntilOpen()
        }
    }

    @Test func identifyIsNotCalledAgainWhileItRuns() async throws {
        let (gate, calls) = (Gate(), Counter())
        let sensor = Self.sensor(HAPCharacteristic(.currentTemperature, 20.0))
            .onIdentify {
                _ = calls.next()
                await gate.waitUntilOpen()
            }
        try await TestServer.run(sensor, pairings: []) { server in
            let controller = try await server.connect()
            for _ in 0..<50 {
                #expect(try await controller.request(HTTPRequest(.post, .identify)).status == 204)
            }
            #expect(await server.server.handlerCallCounts == [1])
            await gate.open()
            try await eventually("the handler has returned") { await server.server.handlerCallCounts.isEmpty }
            #expect(try await controller.request(HTTPRequest(.post, .identify)).status == 204)
            try await eventually("the handler has returned again") { await server.server.handlerCallCounts.isEmpty }
            #expect(calls.next() == 3)
        }
    }

    @Test func accessoryIsAddedToAndRemovedFromABridge() async throws {
        let first = HAPCharacteristic(.currentTemperature, 20.0)
        let second = HAPCharacteristic(.currentTemperature, 10.0)
        func bridge(_ sensors: [(key: String, HAPCharacteristic<Double>)]) -> HAPAccessory {
            .bridge("Attic") {
                for (key, temperature) in sensors {
                    HAPAccessory(key) { HAPService(.temperatureSensor) { temperature } }
                }
            }
        }
        try await TestServer.run(bridge([("east", first)])) { server in
            await #expect(throws: ServerError.self) { try await server.server.set(second, to: 11) }
            let east = try await server.id(.currentTemperature, of: .temperatureSensor, in: "east")
            try await server.server.set(first, to: 21)
            try await server.server.replace(with: bridge([("west", second), ("east", first)]))
            #expect(try await server.id(.currentTemperature, of: .temperatureSensor, in: "east") == east)
            #expect(try await server.server.value(of: first) == 21)
            try await server.server.set(second, to: 11)
            await #expect(throws: ServerError.self) { try await server.server.replace(with: bridge([])) }
            #expect(try await server.server.value(of: second) == 11)
            try await server.server.replace(with: bridge([("west", second)]))
            await #expect(throws: ServerError.self) { try await server.server.set(first, to: 22) }
        }
    }

    @Test func folderStoresTheServerAndIsUnlockedWhenItStops() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hap-embedding-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let temperature = HAPCharacteristic(.currentTemperature, 20.0)
        let sensor = Self.sensor(temperature)
        func start() async throws -> AccessoryServer {
            // No other test uses this address, so none can take the port between stop and start.
            try await .start(sensor, state: folder.path, bindAddress: "127.0.0.2", discovery: nil)
        }
        let first = try await start()
        let information = await first.information
        let error = await #expect(throws: ServerError.self) { _ = try await start() }
        #expect(error?.code == .store)
        try await first.set(temperature, to: 25)
        await first.stop()
        let second = try await start()
        #expect(await second.information == information)
        #expect(try await second.value(of: temperature) == 25)
        await second.stop()
    }

    @Test func runReturnsWhenTheServerIsStoppedElsewhere() async throws {
        try await TestServer.run(Self.sensor(HAPCharacteristic(.currentTemperature, 20.0))) { server in
            async let running: Void = server.server.run()
            await server.server.stop()
            await running
            await server.server.run()
            #expect(server.journal.entries.filter { $0 == .stopped }.count == 1)
        }
    }

    private static func sensor(_ temperature: HAPCharacteristic<Double>) -> HAPAccessory {
        HAPAccessory("Sensor", category: .sensor) { HAPService(.temperatureSensor) { temperature } }
    }
}
