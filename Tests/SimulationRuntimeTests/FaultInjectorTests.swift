import AccessoryModel
import HAPCore
import HAPServer
import Simulation
import SimulationRuntime
import Synchronization
import Testing

/// What a server and its observer learn of faults that nobody has put on anything yet.
struct FaultInjectorTests {
    private final class Facts: ServerObserver {
        private let told = Mutex<[ServerFact]>([])

        func observe(_ fact: ServerFact) {
            told.withLock { $0.append(fact) }
        }

        var all: [ServerFact] {
            told.withLock { $0 }
        }
    }

    @Test func withoutFaultsNothingHappensAndNobodyIsTold() {
        let facts = Facts()
        let injector = FaultInjector(observer: facts)
        let points: [InterferencePoint] = [
            .accept(open: 1_000), .request(ConnectionID(1), RequestSubject(.get, path: "/accessories")),
            .response(ConnectionID(1), RequestSubject(.get, path: "/accessories"), [1, 2, 3]),
            .event(ConnectionID(1), [], []), .announcement,
        ]
        for point in points {
            #expect(injector.interruption(at: point, now: .zero) == .pass)
        }
        injector.advance(to: MonotonicInstant(nanoseconds: .max))
        #expect(injector.conditions == ServerConditions())
        #expect(injector.nextDeadline == nil)
        #expect(injector.active == [])
        #expect(facts.all == [])
    }
}
