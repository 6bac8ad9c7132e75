import AccessoryModel
import HAPCore
import HAPServer
import Hosting
import Simulation

/// A server with fault injection, and the events of its faults.
struct FaultTestServer: Sendable {
    let testServer: TestServer
    let faults: ServerFaults
    /// The events of the injector: when faults act, and when they are over.
    let events: Journal

    /// Serves accessories while `body` runs.
    ///
    /// Simulated time is paused: a fault lasts until ``advance(by:)`` ends it, even on a slow machine.
    static func run(
        _ accessories: [Accessory] = [TestAccessory.accessory()],
        handlers: [CharacteristicKey: CharacteristicHandler] = [:],
        body: (FaultTestServer) async throws -> Void
    ) async throws {
        let news = Journal()
        let injector = FaultInjector(observer: news)
        var configuration = ServerConfiguration.testing
        configuration.behaviorClock.pause(at: .zero)
        try await TestServer.run(
            accessories,
            handlers: handlers,
            faultInjection: injector,
            configuration: configuration
        ) { bench in
            let faults = ServerFaults(of: bench.server, by: injector)
            try await body(FaultTestServer(testServer: bench, faults: faults, events: news))
        }
    }

    func inject(_ effect: FaultEffect, on scope: FaultScope = .server, limit: FaultLimit = FaultLimit()) async {
        await faults.inject(Fault(effect, on: scope, limit: limit))
    }

    /// Advances simulated time at once, which ends the faults that are due.
    func advance(by duration: Duration) async {
        await testServer.server.changeBehaviorClock { clock, now in
            clock.jump(to: clock.time(at: now).advanced(by: duration), at: now)
        }
        await testServer.server.updateConditions()
    }

    /// The events of faults, as `acts` and `over` with their names.
    var reportedEvents: [String] {
        events.events.compactMap { event in
            switch event {
            case .faultApplied(let name, _): "\(name) acts"
            case .faultFinished(let name): "\(name) over"
            default: nil
            }
        }
    }
}
