import AccessoryModel
import Foundation
import HAPCore
import HAPServer
import HostTestSupport
import Simulation
import Synchronization
import TestSupport
import Testing

@testable import AirPlayDriver
@testable import Hosting

/// A served speaker or television with its AirPlay receiver.
struct ReceiverStage {
    let host: AccessoryHost
    let log: DriverEventLog
    private let folder: TemporaryFolder
    private let type: ServiceType

    /// - Parameters:
    ///   - parameters: The parameters of the driver after its port, such as `, access: pin`.
    ///   - records: Whether audio is recorded.
    init(
        _ parameters: String = "",
        _ type: ServiceType = .smartSpeaker,
        records: Bool = false,
        kind: DriverKind = .airPlay
    ) async throws {
        (folder, log, self.type) = (try TemporaryFolder(), DriverEventLog(), type)
        var settings = HostSettings.paused
        settings.drivers = { [kind] }
        settings.recordings = records ? folder("recordings") : nil
        host = AccessoryHost(testing: settings, observers: [log])
        try await host.start(content(parameters))
        await host.waitForListeners()
    }

    private func content(_ parameters: String) throws -> [HostedContent] {
        let text =
            "accessory: Den\ndriver: { airplay: { port: 0\(parameters) } }\n"
            + (type == .television ? Self.television : Self.speaker)
        return try HostedContent.load([NamedFile(folder.write(text, to: "receiver.yaml"))], nil).served
    }

    private static let speaker = """
        services:
          - type: SmartSpeaker
            characteristics: { CurrentMediaState: Stop, TargetMediaState: Stop, ConfiguredName: Den, AirPlayEnable: 1,
              Mute: false, Volume: 25 }
        """
    private static let television = """
        services:
          - type: Television
            characteristics: { Active: Inactive, ActiveIdentifier: 1, RemoteKey: null, CurrentMediaState: Stop,
              TargetMediaState: Stop, ConfiguredName: TV, SleepDiscoveryMode: AlwaysDiscoverable }
          - { type: InputSource, id: Player, name: Player, characteristics: { Identifier: 1, ConfiguredName: Player,
              InputSourceType: HDMI, IsConfigured: Configured } }
          - { type: InputSource, id: AirPlay, name: AirPlay, characteristics: { Identifier: 2,
              ConfiguredName: AirPlay, InputSourceType: AirPlay, IsConfigured: Configured } }
          - { type: Speaker, characteristics: { Mute: false, Volume: 25, VolumeControlType: Absolute } }
        """

    /// Replaces the driver by one with other parameters, which finds what the former one has stored.
    func restart(_ parameters: String) async throws {
        let new = try #require(try content(parameters).first)
        _ = try await host.replace(host.servers[0].id, with: new)
        await host.waitForListeners()
    }

    func stop() async { await host.stop() }

    // MARK: HomeKit

    var server: AccessoryServer { host.servers[0].server }
    var driver: HostedDriver { get throws { try #require(host.servers[0].drivers.all["Den"]) } }
    var port: UInt16 { get throws { try #require(driver.endpoints.first).port } }

    func value(_ type: CharacteristicType, of service: ServiceType? = nil) async throws -> CharacteristicValue? {
        await server.value(of: try await id(type, service))
    }

    func write(_ type: CharacteristicType, _ value: CharacteristicValue, of service: ServiceType? = nil) async throws {
        #expect(await server.write([CharacteristicWrite(try await id(type, service), value)]) == [.success])
    }

    private func id(_ type: CharacteristicType, _ service: ServiceType?) async throws -> CharacteristicID {
        let key = CharacteristicKey(accessory: "Den", service: ServiceKey(service ?? self.type), type: type)
        return try #require(await server.id(of: key))
    }

    /// Returns a reading of the device or of its driver.
    func reading(_ name: String) async throws -> DeviceReading.Value? {
        let readings = try await server.readings(of: ServiceKey(type)) + driver.readings
        return readings.first { $0.name == name }?.value
    }

    /// The PIN that the receiver shows.
    func pin() async throws -> String {
        guard case .text(let pin)? = try await reading("pin") else { throw TestFailure("there is no PIN") }
        return pin
    }

    func inject(_ fault: String, _ number: Double = 0) async {
        await host.servers[0].faults.inject(Fault(.driver(fault, number), limit: FaultLimit(count: 1)))
    }

    /// Waits for a value of Current Media State: 0 plays, 1 is paused, 2 is stopped.
    func expect(mediaState: Int) async throws {
        try await eventually("the media state is \(mediaState)") {
            try await value(.currentMediaState)?.coercedInteger == mediaState
        }
    }

    /// The samples of the recordings as their files have them, in the order of their names.
    func recordings() throws -> [[UInt8]] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder("recordings")).sorted()
        return try names.map { name in
            let file = try Data(contentsOf: URL(filePath: folder("recordings/\(name)")))
            #expect(file.count >= 44 && file.prefix(4) == Data("RIFF".utf8))
            let length = file[40..<44].reversed().reduce(0) { $0 << 8 | Int($1) }
            #expect(length == file.count - 44, "the head has the number of bytes that follow")
            return Array(file.dropFirst(44))
        }
    }
}

/// Keeps the events of drivers.
final class DriverEventLog: HostObserver, HostedServerObserver, ServerObserver {
    private let kept = Mutex<[DriverEvent]>([])

    var all: [DriverEvent] { kept.withLock(\.self) }
    var names: [String] { all.map(\.name) }

    func observer(of server: HostedServer.Identity) -> (any HostedServerObserver)? { self }
    var events: (any ServerObserver)? { self }

    func observe(_ event: ServerEvent) {
        if case .driverEvent(_, let event) = event { kept.withLock { $0.append(event) } }
    }

    /// Waits for an event, and returns it.
    @discardableResult
    func expect(_ name: String) async throws -> DriverEvent {
        try await eventually("the event \(name)") { names.contains(name) }
        return try #require(all.last { $0.name == name })
    }
}
