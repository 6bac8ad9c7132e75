import AccessoryModel
import HAPCore
import HAPServer
import Simulation
import SimulationRuntime

/// A server that faults can be put on, with what was told of them.
struct FaultBench: Sendable {
    let bench: TestServer
    let faults: ServerFaults
    /// What the injector has told: when faults act, and when they are over.
    let news: Journal

    /// Serves accessories while `body` runs.
    ///
    /// The time of the simulation stands still: a fault lasts until ``pass(_:)`` ends it, however long everything takes.
    static func run(
        _ accessories: [Accessory] = [Bench.accessory()],
        handlers: [CharacteristicKey: CharacteristicHandler] = [:],
        body: (FaultBench) async throws -> Void
    ) async throws {
        let news = Journal()
        let injector = FaultInjector(observer: news)
        var configuration = ServerConfiguration.bench
        configuration.behaviorClock.pause(at: .zero)
        try await TestServer.run(
            accessories,
            handlers: handlers,
            interference: injector,
            configuration: configuration
        ) { bench in
            let faults = ServerFaults(of: bench.server, by: injector)
            try await body(FaultBench(bench: bench, faults: faults, news: news))
        }
    }

    func inject(_ effect: FaultEffect, on scope: FaultScope = .server, limit: FaultLimit = FaultLimit()) async {
        await faults.inject(Fault(effect, on: scope, limit: limit))
    }

    /// Lets the time of the simulation pass at once, and the faults be over that end in it.
    func pass(_ duration: Duration) async {
        await bench.server.changeBehaviorClock { clock, now in
            clock.jump(to: clock.time(at: now).advanced(by: duration), at: now)
        }
        await bench.server.interferenceChanged()
    }

    /// What was told of faults, as `acts` and `over` with their names.
    var told: [String] {
        news.facts.compactMap { fact in
            switch fact {
            case .faultActed(let name, _): "\(name) acts"
            case .faultOver(let name): "\(name) over"
            default: nil
            }
        }
    }
}
