import AccessoryModel
import ControllerTestSupport
import Discovery
import Foundation
import HAPController
import HAPCore
import HAPServer
import HomeModel
import HomeRuntime
import TestSupport

/// Measures a scene and the status of 100 accessories on 10 bridges, all on loopback, the reading of phrases, and a home
/// near the limits.
///
///     HomeBenchmark [ROUNDS]
///     HomeBenchmark --homekit                  only measures the library HomeKit
///     HomeBenchmark --write FOLDER [SCALE]     only writes the files of the home near the limits
///
/// A round lasts from the start of the scene to its last result. The program prints the median and the maximum of the
/// rounds in milliseconds, and separately the first round, which opens the sessions. The status is read by a new
/// controller each time, so it includes pair-verify. It exits with 1 if the median of the scene is 150 ms or more, that
/// of the status 300 ms or more, or that of a phrase in a home of 500 services 1 ms or more. It also exits with 1 if a
/// phrase of 48 unknown words takes 10 ms or more, or a time of the home near the limits its limit.
@main struct HomeBenchmark {
    private static let bridges = 10
    private static let lampsPerBridge = 10
    private static let limit = 150.0

    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.count > 2, arguments[1] == "--write" {
            return try LargeHome(scale: arguments.count > 3 ? Double(arguments[3]) ?? 1 : 1).write(to: arguments[2])
        }
        if arguments.dropFirst().first == "--homekit" {
            let figures = try await HomeKitFigures.measure()
            print(figures.summary)
            exit(figures.isWithinLimits ? 0 : 1)
        }
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 50
        var servers: [AccessoryServer] = []
        for number in 1...bridges {
            servers.append(try await start(number))
        }
        let store = InMemoryControllerStore()
        let pairing = try await Controller.open(store: store, resolver: nil)
        for (number, server) in servers.enumerated() {
            let target = AccessoryTarget.address(host: "127.0.0.1", port: await server.information.port)
            _ = try await pairing.pair(target, with: .code(Fixture.setupCode), as: "bridge-\(number + 1)")
        }
        var home = Home(id: ObjectID(1), name: try ObjectName("House"))
        for server in await NetworkBackend(pairing).servers() {
            try home.addAccessories(of: server)
        }
        await pairing.close()

        let controller = try await Controller.open(store: store, resolver: nil)
        let backend = NetworkBackend(controller)
        var milliseconds: [Double] = []
        for round in 0...rounds {
            let actions = home.visibleServices.map { service, _ in
                HomeAction(
                    characteristic: CharacteristicSelector(service: service.id, type: .on),
                    value: .bool(round % 2 == 0)
                )
            }
            let clock = ContinuousClock()
            let began = clock.now
            let results = await backend.run(actions, in: home)
            milliseconds.append((clock.now - began) / .milliseconds(1))
            guard results.count == bridges * lampsPerBridge, results.allSatisfy(\.hasSucceeded) else {
                FileHandle.standardError.write(Data("HomeBenchmark: not everything was done: \(results)\n".utf8))
                exit(1)
            }
        }
        await controller.close()
        let status = try await statusMilliseconds(of: home, store)
        for server in servers {
            await server.stop()
        }
        let largeHome = try largeHome()
        let phrase = try phraseMilliseconds(in: largeHome)
        let unknownWords = unknownWordsMilliseconds(in: largeHome)
        let first = milliseconds.removeFirst()
        let sorted = milliseconds.sorted()
        let (median, worst) = (sorted[sorted.count / 2], sorted[sorted.count - 1])
        print(
            String(
                format: "a scene over 100 accessories on 10 bridges: median %.1f ms, worst %.1f ms of %d; "
                    + "the first, which opens the sessions, %.1f ms",
                median,
                worst,
                rounds,
                first
            )
        )
        print(String(format: "the status of 100 accessories, with pair-verify: median %.1f ms", status))
        print(String(format: "a phrase in a home of 500 services: median %.3f ms", phrase))
        print(String(format: "a phrase of 48 unknown words there: at most %.3f ms", unknownWords))
        let large = try await LargeHome().measure()
        for measurement in large {
            print(
                String(
                    format: "%@: %.1f ms, limit %.0f ms",
                    measurement.title,
                    measurement.milliseconds,
                    measurement.limit
                )
            )
        }
        let homeKit = try await HomeKitFigures.measure()
        print(homeKit.summary)
        let isFast =
            homeKit.isWithinLimits && large.allSatisfy(\.isWithinLimit) && median < limit && status < statusLimit
            && phrase < phraseLimit
            && unknownWords < answerLimit
        exit(isFast ? 0 : 1)
    }

    private static let statusLimit = 300.0
    private static let phraseLimit = 1.0
    private static let answerLimit = 10.0

    /// Returns the median time for reading the status of all services with a new controller.
    private static func statusMilliseconds(of home: Home, _ store: InMemoryControllerStore) async throws -> Double {
        let services = home.visibleServices.map(\.service)
        let clock = ContinuousClock()
        var milliseconds: [Double] = []
        for _ in 0..<11 {
            let began = clock.now
            let controller = try await Controller.open(store: store, resolver: nil)
            let values = await NetworkBackend(controller)
                .values(of: services.flatMap { ServiceStatus.selectors(of: $0) }, in: home)
            let states = services.map { ServiceStatus(of: $0, values) }
            milliseconds.append((clock.now - began) / .milliseconds(1))
            await controller.close()
            guard states.count == bridges * lampsPerBridge, !states.contains(where: { $0.facts.contains(.unreachable) })
            else {
                FileHandle.standardError.write(Data("HomeBenchmark: not everything was read\n".utf8))
                exit(1)
            }
        }
        return milliseconds.sorted()[milliseconds.count / 2]
    }

    /// Returns a home of 500 lamps in 50 rooms.
    private static func largeHome() throws -> Home {
        var home = Home(id: ObjectID(1), name: try ObjectName("House"))
        for number in 1...50 {
            let room = try home.addRoom(named: ObjectName("Room \(number)"))
            for lamp in 1...10 {
                guard let server = DeviceID("00:00:00:00:\(number + 10):\(lamp + 10)") else { continue }
                _ = try home.addAccessory(
                    RemoteAccessory(
                        named: "Lamp \(number) \(lamp)",
                        services: [
                            RemoteService(
                                named: nil,
                                .lightbulb,
                                iid: 10,
                                characteristics: [.on, .brightness, .hue].enumerated()
                                    .map { RemoteCharacteristic(iid: 11 + UInt64($0), $1) }
                            )
                        ]
                    ),
                    at: AccessoryReference(server: server, aid: .primary),
                    placed: AccessoryPlacement(room: room)
                )
            }
        }
        return home
    }

    /// Returns the longest time for refusing a phrase of unknown or repeated words, with suggestions, in ten attempts.
    private static func unknownWordsMilliseconds(in home: Home) -> Double {
        let clock = ContinuousClock()
        return (0..<10)
            .map { round in
                let phrase =
                    switch round % 4 {
                    case 0: (0..<48).map { "xyzzy\(round)\($0)" }.joined(separator: " ")
                    case 1: String(repeating: "frontdoors ", count: 48)
                    case 2: String(repeating: "r ", count: 48)
                    default: "r" + String(repeating: "\u{301}", count: 400)
                    }
                let began = clock.now
                _ = try? Phrase(phrase, in: home)
                return (clock.now - began) / .milliseconds(1)
            }
            .max() ?? 0
    }

    /// Returns the median time for understanding a phrase, including the preparation of the home's names.
    private static func phraseMilliseconds(in home: Home) throws -> Double {
        let phrases = [
            "turn off all lights except in Room 7", "make Lamp 3 4 a little brighter", "which lights are on in Room 9?",
            "set the lights in Room 1 and Room 2 to 40%",
        ]
        let clock = ContinuousClock()
        var milliseconds: [Double] = []
        for round in 0..<400 {
            let began = clock.now
            _ = try Phrase(phrases[round % phrases.count], in: home)
            milliseconds.append((clock.now - began) / .milliseconds(1))
        }
        return milliseconds.sorted()[milliseconds.count / 2]
    }

    private static func start(_ number: Int) async throws -> AccessoryServer {
        let bridge = Accessory(
            key: "Bridge",
            services: [information("Bridge \(number)"), .protocolInformation()],
            aid: .primary
        )
        let lamps = (1...lampsPerBridge)
            .map { lamp in
                let name = "Lamp \(number) \(lamp)"
                return Accessory(
                    key: name,
                    services: [
                        information(name),
                        Service(
                            .lightbulb,
                            characteristics: [
                                Characteristic(cataloged: .name, value: .string(name)),
                                Characteristic(cataloged: .on, value: false),
                            ]
                        ),
                    ]
                )
            }
        return try await AccessoryServer.start(
            ServerConfiguration(
                name: "Bridge \(number)",
                category: .bridge,
                bindAddress: "127.0.0.1",
                setupCode: Fixture.setupCode
            ),
            accessories: [bridge] + lamps,
            ports: ServerPorts(store: InMemoryStore(), advertiser: NoOpAdvertiser())
        )
    }

    static func information(_ name: String) -> Service {
        .accessoryInformation(
            name: name,
            manufacturer: "Example Works",
            model: "E-1",
            serialNumber: "E-0001",
            firmware: "1.0.0"
        )
    }
}
