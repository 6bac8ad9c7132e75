import AccessoryModel
import Discovery
import Foundation
import HAPCore
import HAPServer
import HomeKit
import Synchronization
import TestSupport

/// Measures the library HomeKit with 100 accessories on 10 bridges, on loopback.
struct HomeKitFigures {
    /// The time from the creation of a manager until it has the homes with all values, in milliseconds.
    var loading = 0.0
    /// The median time of a write, until its completion handler is called, in milliseconds.
    var writing = 0.0
    /// The values per second that were reported to the delegate, and how much memory grew in 10 s, in MB.
    var callbacks = (perSecond: 0.0, megabytes: 0.0)

    static let limits = (loading: 400.0, writing: 2.0, callbacks: 1_000.0, megabytes: 1.0)

    var isWithinLimits: Bool {
        loading <= Self.limits.loading && writing <= Self.limits.writing
            && callbacks.perSecond >= Self.limits.callbacks && callbacks.megabytes <= Self.limits.megabytes
    }

    var summary: String {
        String(
            format:
                "HomeKit, 100 accessories on 10 bridges: load %.0f ms (limit %.0f), write %.2f ms (limit %.0f), %.0f values/s "
                + "to the delegate (at least %.0f), memory %+.1f MB in 10 s (limit %.0f)",
            loading,
            Self.limits.loading,
            writing,
            Self.limits.writing,
            callbacks.perSecond,
            Self.limits.callbacks,
            callbacks.megabytes,
            Self.limits.megabytes
        )
    }

    private static let bridges = 10
    private static let accessories = 10
    private static let lamps = 15

    static func measure() async throws -> HomeKitFigures {
        let folder = try TemporaryFolder()
        HomeKitSettings.stateFolder = folder.path
        var servers: [AccessoryServer] = []
        for number in 1...bridges { servers.append(try await start(number)) }
        try await addAccessories(of: servers)
        // Waits until the first manager has closed its sessions, so that loading includes opening them.
        try await Task.sleep(for: .milliseconds(500))
        var figures = HomeKitFigures()
        let clock = ContinuousClock()
        let app = App()
        let start = clock.now
        let manager = HMHomeManager()
        manager.delegate = app
        await app.waitForHomes()
        figures.loading = (clock.now - start) / .milliseconds(1)
        let powers = app.prepare(manager)
        guard powers.count == bridges * accessories * lamps, powers.allSatisfy({ $0.value as? Bool != nil }) else {
            throw TestFailure("not every value is known")
        }
        figures.writing = try await median(of: powers[0])
        figures.callbacks = try await app.count(in: servers)
        for server in servers { await server.stop() }
        return figures
    }

    /// Adds all accessories to a new home, with a temporary manager.
    private static func addAccessories(of servers: [AccessoryServer]) async throws {
        let port = Mutex<UInt16>(0)
        HomeKitSettings.setupAnswer = { _ in
            HomeKitSetupAnswer(code: Vectors.all.pairSetup.setupCode, accessory: "127.0.0.1:\(port.withLock(\.self))")
        }
        let app = App()
        let manager = HMHomeManager()
        manager.delegate = app
        await app.waitForHomes()
        let home = try await manager.addHome(named: "House")
        for server in servers {
            let number = await server.information.port
            port.withLock { $0 = number }
            try await home.addAndSetUpAccessories()
        }
    }

    private static func median(of power: HMCharacteristic) async throws -> Double {
        let clock = ContinuousClock()
        var milliseconds: [Double] = []
        for round in 0..<500 {
            let start = clock.now
            try await power.writeValue(round % 2 == 0)
            milliseconds.append((clock.now - start) / .milliseconds(1))
        }
        return milliseconds.sorted()[milliseconds.count / 2]
    }

    private static func start(_ number: Int) async throws -> AccessoryServer {
        let bridge = Accessory(
            key: "Bridge",
            services: [HomeBenchmark.information("Bridge \(number)"), .protocolInformation()],
            aid: .primary
        )
        let bridged = (1...accessories)
            .map { accessory in
                let lamps = (1...lamps)
                    .map { lamp in
                        Service(
                            .lightbulb,
                            subtype: "\(lamp)",
                            characteristics: [Characteristic(cataloged: .on, value: false)]
                        )
                    }
                let information = HomeBenchmark.information("Lamp \(number) \(accessory)")
                return Accessory(key: "Lamp \(accessory)", services: [information] + lamps)
            }
        return try await AccessoryServer.start(
            ServerConfiguration(
                name: "Bridge \(number)",
                category: .bridge,
                bindAddress: "127.0.0.1",
                setupCode: Fixture.setupCode
            ),
            accessories: [bridge] + bridged,
            ports: ServerPorts(store: InMemoryStore(), advertiser: NoOpAdvertiser())
        )
    }
}

/// An app that counts the values that are reported to its delegate.
private final class App: NSObject, HMHomeManagerDelegate, HMAccessoryDelegate {
    private let state = Mutex(State())

    private struct State {
        var isLoaded = false
        var waiting: CheckedContinuation<Void, Never>?
        var values = 0
    }

    func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {
        state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.isLoaded = true
            defer { state.waiting = nil }
            return state.waiting
        }?
        .resume()
    }

    func accessory(_ accessory: HMAccessory, service: HMService, didUpdateValueFor characteristic: HMCharacteristic) {
        state.withLock { $0.values += 1 }
    }

    func waitForHomes() async {
        await withCheckedContinuation { continuation in
            let isLoaded = state.withLock { state in
                if !state.isLoaded { state.waiting = continuation }
                return state.isLoaded
            }
            if isLoaded { continuation.resume() }
        }
    }

    /// Sets the delegates, enables notifications, and returns the switches of all lamps.
    func prepare(_ manager: HMHomeManager) -> [HMCharacteristic] {
        var powers: [HMCharacteristic] = []
        for accessory in manager.homes.flatMap(\.accessories) {
            accessory.delegate = self
            powers += accessory.services.flatMap(\.characteristics)
                .filter { $0.characteristicType == HMCharacteristicTypePowerState }
        }
        for power in powers { power.enableNotification(true) { _ in } }
        return powers
    }

    /// Switches all lamps every 1.25 s, and returns the values per second that were reported, and the growth of memory.
    func count(in servers: [AccessoryServer]) async throws -> (perSecond: Double, megabytes: Double) {
        let rounds = 16
        var (megabytesAtHalf, isOn) = (0.0, false)
        let clock = ContinuousClock()
        let start = clock.now
        for round in 0..<rounds {
            if round == rounds / 2 { megabytesAtHalf = Self.anonymousMegabytes }
            isOn.toggle()
            for server in servers {
                for (key, id) in await server.characteristicIDs() where key.type == .on {
                    await server.set(.bool(isOn), for: id)
                }
            }
            // Waits: an accessory sends at most one event message per second.
            try await Task.sleep(until: start.advanced(by: .milliseconds(1_250 * (round + 1))), clock: clock)
        }
        let total = state.withLock(\.values)
        return (Double(total) / ((clock.now - start) / .seconds(1)), Self.anonymousMegabytes - megabytesAtHalf)
    }

    private static var anonymousMegabytes: Double {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        let kilobytes = Double(line?.split(whereSeparator: { !$0.isNumber }).first ?? "") ?? 0
        return kilobytes / 1_024
    }
}
