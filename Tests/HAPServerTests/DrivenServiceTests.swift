import AccessoryModel
import Discovery
import HAPCore
import Synchronization
import TestSupport
import Testing

@testable import HAPServer

/// Services that a driver answers for.
@Suite(.timeLimit(.minutes(5)))
struct DrivenServiceTests {
    /// A driver that answers when a test says so.
    private final class Stub: ServiceDrivers {
        private let state = Mutex((requests: [DriverWriteRequest](), executed: [CharacteristicValue]()))
        let gate = Gate()
        /// Returns the results; by default, all writes succeed.
        let respond: @Sendable (DriverWriteRequest) -> [DriverWriteResult]

        init(
            _ respond: @escaping @Sendable (DriverWriteRequest) -> [DriverWriteResult] = { request in
                request.writes.map { DriverWriteResult($0.key) }
            }
        ) {
            self.respond = respond
        }

        var requests: [DriverWriteRequest] { state.withLock(\.requests) }
        /// The values that the device has been sent.
        var executed: [CharacteristicValue] { state.withLock(\.executed) }

        func write(_ request: DriverWriteRequest) async -> [DriverWriteResult] {
            state.withLock { $0.requests.append(request) }
            await gate.waitUntilOpen()
            guard !Task.isCancelled else { return [] }
            state.withLock { $0.executed += request.writes.map(\.value) }
            return respond(request)
        }

        func perform(_ effects: [DeviceEffect], ofAccessory key: String, at now: MonotonicInstant) {}
    }

    private static let light = ServiceKey(.lightbulb)
    private static func key(_ type: CharacteristicType) -> CharacteristicKey {
        CharacteristicKey(accessory: "Lamp", service: light, type: type)
    }

    /// Serves a driven lamp while `body` runs.
    private static func run(
        _ stub: Stub,
        _ body: (AccessoryServer) async throws -> Void
    ) async throws {
        var lamp = Service(
            .lightbulb,
            characteristics: [
                Characteristic(cataloged: .on, value: false), Characteristic(cataloged: .hue, value: 0),
                Characteristic(cataloged: .saturation, value: 0),
            ]
        )
        lamp.isDriven = true
        let button = ServiceKey(.statelessProgrammableSwitch)
        var press = Service(
            button.type,
            characteristics: [Characteristic(cataloged: .programmableSwitchEvent)]
        )
        press.isDriven = true
        let information = Service.accessoryInformation(
            name: "Lamp",
            manufacturer: "hap",
            model: "Lamp",
            serialNumber: "12",
            firmware: "1.0"
        )
        let server = try await AccessoryServer.start(
            .testing,
            accessories: [Accessory(key: "Lamp", services: [information, .protocolInformation(), lamp, press])],
            ports: ServerPorts(store: InMemoryStore(), advertiser: NoOpAdvertiser(), drivers: stub)
        )
        do {
            try await body(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private static func write(
        _ server: AccessoryServer,
        _ values: [(CharacteristicType, CharacteristicValue)]
    ) async throws -> [HAPStatus] {
        var writes: [CharacteristicWrite] = []
        for (type, value) in values {
            writes.append(CharacteristicWrite(try #require(await server.id(of: key(type))), value))
        }
        return await server.write(writes)
    }

    private static func value(
        _ server: AccessoryServer,
        _ type: CharacteristicType
    ) async throws -> CharacteristicValue? {
        await server.value(of: try #require(await server.id(of: key(type))))
    }

    private static func readStatus(_ server: AccessoryServer, _ type: CharacteristicType) async throws -> HAPStatus {
        let id = try #require(await server.id(of: key(type)))
        let address = CharacteristicAddress(id)
        switch await server.attributes.readableIndex(of: address, isAdmin: true) {
        case .success: return .success
        case .failure(let error): return error.status
        }
    }

    @Test
    func itemsFailUntilTheDeviceCanBeReached() async throws {
        let stub = Stub()
        await stub.gate.open()
        try await Self.run(stub) { (server) async throws in
            #expect(try await Self.readStatus(server, .on) == .unableToPerform)
            #expect(try await Self.write(server, [(.on, true)]) == [.unableToPerform])
            #expect(stub.requests.isEmpty)
            await server.setReachable(true, accessory: "Lamp")
            #expect(try await Self.readStatus(server, .on) == .success)
            #expect(try await Self.write(server, [(.on, true)]) == [.success])
            #expect(try await Self.value(server, .on) == true)
        }
    }

    @Test
    func hueAndSaturationOfOneRequestArriveInOneCall() async throws {
        let stub = Stub()
        await stub.gate.open()
        try await Self.run(stub) { (server) async throws in
            await server.setReachable(true, accessory: "Lamp")
            #expect(try await Self.write(server, [(.hue, 120), (.saturation, 50)]) == [.success, .success])
            #expect(stub.requests.map { $0.writes.map(\.key.type) } == [[.hue, .saturation]])
        }
    }

    @Test
    func aWriteThatTimedOutIsNotExecutedLater() async throws {
        let stub = Stub()
        try await Self.run(stub) { (server) async throws in
            await server.setReachable(true, accessory: "Lamp")
            async let statuses = Self.write(server, [(.on, true)])
            try await eventually("the driver is called") { stub.requests.count == 1 }
            await server.timeOutDriver()
            #expect(try await statuses == [.timedOut])
            await stub.gate.open()
            #expect(try await Self.write(server, [(.hue, 10)]) == [.success])
            #expect(stub.executed == [10])
            #expect(try await Self.value(server, .on) == false)
        }
    }

    @Test
    func aHangingWriteDelaysNoOtherRequest() async throws {
        let stub = Stub()
        try await Self.run(stub) { (server) async throws in
            await server.setReachable(true, accessory: "Lamp")
            async let statuses = Self.write(server, [(.on, true)])
            try await eventually("the driver is called") { stub.requests.count == 1 }
            // A report and a read are answered while the write hangs.
            #expect(await server.report([DriverReport(Self.key(.hue), 7)]).isEmpty)
            #expect(try await Self.value(server, .hue) == 7)
            await stub.gate.open()
            #expect(try await statuses == [.success])
        }
    }

    @Test
    func theValueOfTheResultReplacesTheWrittenOne() async throws {
        let stub = Stub { request in
            [
                DriverWriteResult(Self.key(.hue), value: 30), DriverWriteResult(Self.key(.saturation), .busy),
                DriverWriteResult(Self.key(.brightness)),
            ]
        }
        await stub.gate.open()
        try await Self.run(stub) { (server) async throws in
            await server.setReachable(true, accessory: "Lamp")
            // The result of On is missing.
            let statuses = try await Self.write(server, [(.hue, 31), (.saturation, 5), (.on, true)])
            #expect(statuses == [.success, .busy, .unableToPerform])
            #expect(try await Self.value(server, .hue) == 30)
            #expect(try await Self.value(server, .saturation) == 0)
            #expect(try await Self.value(server, .on) == false)
        }
    }

    @Test
    func aReportDuringAWriteIsNewerThanItsResult() async throws {
        let stub = Stub()
        try await Self.run(stub) { (server) async throws in
            await server.setReachable(true, accessory: "Lamp")
            async let statuses = Self.write(server, [(.hue, 100)])
            try await eventually("the driver is called") { stub.requests.count == 1 }
            _ = await server.report([DriverReport(Self.key(.hue), 42)])
            await stub.gate.open()
            #expect(try await statuses == [.success])
            #expect(try await Self.value(server, .hue) == 42)
        }
    }

    @Test
    func invalidAndUnknownReportsAreRefused() async throws {
        try await Self.run(Stub()) { (server) async throws in
            let unknown = CharacteristicKey(accessory: "Lamp", service: ServiceKey(.fan), type: .on)
            let name = CharacteristicKey(
                accessory: "Lamp",
                service: ServiceKey(.accessoryInformation),
                type: .name
            )
            let refused = await server.report([
                DriverReport(Self.key(.hue), 400), DriverReport(unknown, true), DriverReport(name, "Other"),
                DriverReport(Self.key(.saturation), 12),
            ])
            #expect(refused == [Self.key(.hue), unknown, name])
            #expect(try await Self.value(server, .saturation) == 12)
        }
    }

    /// The page and scenarios cannot set a value that only the device knows.
    @Test
    func aValueOfADrivenServiceCannotBeSetAroundTheDriver() async throws {
        try await Self.run(Stub()) { (server) async throws in
            let id = try #require(await server.id(of: Self.key(.hue)))
            #expect(await !server.set(9, for: id))
            #expect(await server.controls(of: id) == [])
        }
    }
}

extension AccessoryServer {
    /// Times out the single call of a driver.
    fileprivate func timeOutDriver() {
        for call in handlerRegistry.driverCalls.numbers { driverTimedOut(call) }
    }
}
