import AccessoryModel
import Documents
import Foundation
import HAPCore
import HAPServer
import HostTestSupport
import Synchronization
import TestSupport
import Testing

@testable import Hosting
@testable import Simulation

/// The life of drivers on a host.
@Suite(.timeLimit(.minutes(5)))
struct HostedDriverTests {
    /// What the drivers of a test have done.
    private final class Log: Sendable {
        private let state = Mutex((starts: 0, ends: 0, ports: [UInt16]()))

        var starts: Int { state.withLock(\.starts) }
        var ends: Int { state.withLock(\.ends) }
        var ports: [UInt16] { state.withLock(\.ports) }

        func start() { state.withLock { $0.starts += 1 } }
        func end() { state.withLock { $0.ends += 1 } }
        func listen(on port: UInt16) { state.withLock { $0.ports.append(port) } }
    }

    private struct Trial: Driver {
        let behavior: String
        let log: Log
        let port: DriverPort

        func run() async throws {
            log.start()
            defer { log.end() }
            switch behavior {
            case "fails": throw TestFailure("no device")
            case "neverEnds":
                log.listen(on: try await port.listen(on: DriverEndpoint(port: 0)).endpoint.port)
                // Not even after its cancellation.
                await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
            case "listens":
                let listener = try await port.listen(on: DriverEndpoint(port: 0))
                log.listen(on: listener.endpoint.port)
                for await connection in listener.connections { connection.close() }
            default:
                await port.setReachable(true)
                // Waits: until it is canceled.
                try await Task.sleep(for: .seconds(3_600))
            }
        }
    }

    private static func definition(_ log: Log) -> DriverKind {
        let format = Format<String>.text
        let definition = DriverDefinition("trial", "For tests.", ownership: .all, listens: true, format: format) { _ in
            []
        }
        return DriverKind(definition) { (behavior: String, port) in Trial(behavior: behavior, log: log, port: port) }
    }

    private static func content(_ parameters: String, switchName: String = "Switch") -> HostedContent {
        var service = Service(
            .switch,
            characteristics: [
                Characteristic(cataloged: .on, value: false),
                Characteristic(cataloged: .name, value: .string(switchName)),
            ]
        )
        service.isDriven = true
        let information = Service.accessoryInformation(
            name: "Shed",
            manufacturer: "hap",
            model: "Shed",
            serialNumber: "12",
            firmware: "1.0"
        )
        let accessory = Accessory(key: "Shed", services: [information, .protocolInformation(), service])
        var content = HostedContent(key: "Shed", name: "Shed", category: .switch, accessories: [accessory])
        content.drivers["Shed"] = DriverSetting("trial", .text(parameters), parameters, [])
        return content
    }

    private static func host(_ log: Log) -> AccessoryHost {
        var settings = HostSettings.testing
        let kind = definition(log)
        settings.drivers = { [kind] }
        return AccessoryHost(testing: settings)
    }

    @Test
    func aDriverThatFailsAtOnceWaitsBeforeItsNextStart() async throws {
        let log = Log()
        let host = Self.host(log)
        try await host.start([Self.content("fails")])
        let driver = try #require(host.servers[0].drivers.all["Shed"])
        try await eventually("it waits") { if case .waiting("no device") = driver.state { true } else { false } }
        #expect(log.starts == 1)
        await host.stop()
        #expect(log.ends == log.starts)
    }

    @Test
    func aDriverThatNeverEndsIsAbandonedAndItsSocketIsClosed() async throws {
        let log = Log()
        let host = Self.host(log)
        try await host.start([Self.content("neverEnds")])
        try await eventually("it listens") { !log.ports.isEmpty }
        await host.remove(host.servers[0].id)
        #expect(log.ends == 0)
        // The port can be bound again, so the socket is closed.
        let run = DriverRun(.idle)
        let listener = try await DriverListener.listen(on: DriverEndpoint(port: log.ports[0]), for: run)
        #expect(listener.endpoint.port == log.ports[0])
        run.close()
        await host.stop()
    }

    @Test
    func aProcessIsReadyWhenItsDriversListen() async throws {
        let log = Log()
        let host = Self.host(log)
        try await host.start([Self.content("listens")])
        await host.waitForListeners()
        let driver = try #require(host.servers[0].drivers.all["Shed"])
        let port = try #require(driver.endpoints.first?.port)
        let receiver =
            #"{"kind":"trial","name":"Shed","host":"127.0.0.1","port":\#(port),"certificate":null,"pin":null}"#
        #expect(await ReadyFile(of: host, console: nil).json.contains("\"receivers\":[\(receiver)]"))
        #expect(driver.endpoints.map(\.interface) == [1])
        // A driver that fails at once does not hold up the others.
        _ = try await host.replace(host.servers[0].id, with: Self.content("fails"))
        await host.waitForListeners()
        #expect(await ReadyFile(of: host, console: nil).json.contains("\"receivers\":[]"))
        await host.stop()
    }

    @Test
    func aReloadWithTheSameParametersKeepsTheDriver() async throws {
        let log = Log()
        let host = Self.host(log)
        try await host.start([Self.content("waits")])
        let id = host.servers[0].id
        let driver = try #require(host.servers[0].drivers.all["Shed"])
        try await eventually("it can be reached") { driver.isReachable }
        _ = try await host.replace(id, with: Self.content("waits", switchName: "Other"))
        #expect(host.servers[0].drivers.all["Shed"] === driver)
        #expect(log.starts == 1)
        let other = try #require(driver.accessory.services.last?.characteristics.last?.value)
        #expect(other == "Other")
        let on = CharacteristicKey(accessory: "Shed", service: ServiceKey(.switch), type: .on)
        let item = CharacteristicAddress(try #require(await host.servers[0].server.id(of: on)))
        #expect((try? await host.servers[0].server.attributes.readableIndex(of: item, isAdmin: true).get()) != nil)
        // Other parameters replace it, after it has ended.
        _ = try await host.replace(id, with: Self.content("waits2"))
        try await eventually("the new one runs") { log.starts == 2 }
        #expect(log.ends == 1)
        await host.stop()
    }

    @Test
    func theWaitDoublesUpToAMinuteAndBeginsAgainAfterAMinuteOfRunning() {
        var backOff = DriverBackOff()
        let delays = (0..<8).map { _ in backOff.delay(afterRunning: .zero, jitter: 0) }
        #expect(delays == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        #expect(backOff.delay(afterRunning: .seconds(60), jitter: 0.25) == .milliseconds(1_250))
    }

    // MARK: Programs

    private static func command(_ origin: NamedFile.Origin, allows: Bool) async throws -> (HostedDriver.State?, Bool) {
        let folder = try TemporaryFolder()
        let text = """
            accessory: Shed
            driver: { command: { run: [sleep, "60"] } }
            services: [{ type: Switch }]
            """
        let path = try folder.write(text, to: "shed.yaml")
        let file = NamedFile(path, namedBy: origin)
        let isLoaded = (try? HostedContent.load([file], nil, allowsCommands: allows)) != nil
        var settings = HostSettings.testing
        settings.drivers = { [.command] }
        settings.allowsCommands = allows
        let host = AccessoryHost(testing: settings)
        // As if the check of the file had been forgotten.
        try await host.start(HostedContent.load([file], nil, allowsCommands: true).served)
        let state = host.servers[0].drivers.all["Shed"]?.state
        await host.stop()
        return (state, isLoaded)
    }

    @Test
    func aProgramRunsOnlyIfItsFileWasNamedOnTheCommandLine() async throws {
        let (named, isNamedLoaded) = try await Self.command(.user, allows: false)
        #expect(isNamedLoaded)
        #expect(named.map { if case .stopped = $0 { false } else { true } } == true)
        let (other, isOtherLoaded) = try await Self.command(.file, allows: false)
        #expect(!isOtherLoaded)
        #expect(other == .stopped(HostedContent.commandRefusal))
        let (allowed, isAllowedLoaded) = try await Self.command(.file, allows: true)
        #expect(isAllowedLoaded)
        #expect(allowed.map { if case .stopped = $0 { false } else { true } } == true)
    }

    /// A switch whose state is a file, by the program in Examples.
    @Test
    func theExampleInPythonServesAFile() async throws {
        let folder = try TemporaryFolder()
        let pin = try folder.write("0\n", to: "gpio17")
        let program = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Examples/Drivers/gpio_switch.py").path
        let text = """
            accessory: Shed
            driver: { command: { run: [python3, "\(program)", "\(pin)"] } }
            services: [{ type: Switch }]
            """
        let path = try folder.write(text, to: "shed.yaml")
        var settings = HostSettings.testing
        settings.drivers = { [.command] }
        let host = AccessoryHost(testing: settings)
        try await host.start(HostedContent.load([NamedFile(path)], nil).served)
        let server = host.servers[0].server
        let driver = try #require(host.servers[0].drivers.all["Shed"])
        try await eventually("it can be reached") { driver.isReachable }
        let key = CharacteristicKey(accessory: "Shed", service: ServiceKey(.switch), type: .on)
        let on = try #require(await server.id(of: key))
        #expect(await server.write([CharacteristicWrite(on, true)]) == [.success])
        #expect(try String(contentsOfFile: pin, encoding: .utf8) == "1\n")
        _ = try folder.write("0\n", to: "gpio17")
        try await eventually("the pin is reported") { await server.value(of: on) == false }
        await host.stop()
        #expect(driver.state == .stopped("It was stopped."))
    }

    @Test
    func aProgramThatIsRunForEachValueServesAFile() async throws {
        let folder = try TemporaryFolder()
        let value = try folder.write("21.5\n", to: "temperature")
        let text = """
            accessory: Cellar
            driver: { command: { read: [cat, "\(value)"], every: 1s } }
            services: [{ type: TemperatureSensor }]
            """
        let path = try folder.write(text, to: "cellar.yaml")
        var settings = HostSettings.testing
        settings.drivers = { [.command] }
        let host = AccessoryHost(testing: settings)
        try await host.start(HostedContent.load([NamedFile(path)], nil).served)
        let server = host.servers[0].server
        let service = ServiceKey(.temperatureSensor)
        let key = CharacteristicKey(accessory: "Cellar", service: service, type: .currentTemperature)
        let id = try #require(await server.id(of: key))
        try await eventually("the value is reported") { await server.value(of: id) == 21.5 }
        let driver = try #require(host.servers[0].drivers.all["Cellar"])
        _ = try folder.write("warm\n", to: "temperature")
        try await eventually("no value is reported") { !driver.isReachable }
        await host.stop()
    }
}

extension HostedDriver {
    /// A driver that is never started, whose run owns the sockets of a test.
    static var idle: HostedDriver {
        let definition = DriverDefinition("idle", "For tests.", ownership: .none, format: Format<String>.text) { _ in []
        }
        return HostedDriver(
            DriverKind(definition) { (_: String, _) in fatalError("it is never started") },
            DriverSetting("idle", .null, "", []),
            of: DrivenAccessory(Accessory(key: "Idle", services: [])),
            .primary,
            on: nil,
            store: DriverStore(data: InMemoryStore(), owner: DriverDataOwner(accessory: "", driver: "")),
            observer: ServerEventForwarder()
        ) { _, _ in nil }
    }
}
