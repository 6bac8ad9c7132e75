import AccessoryModel
import HAPCore
import HAPServer
import Hosting
import Simulation
import Synchronization
import Testing

/// A fault injector without faults changes nothing and reports nothing.
struct FaultInjectorTests {
    private final class EventRecorder: ServerObserver {
        private let reported = Mutex<[ServerEvent]>([])

        func observe(_ event: ServerEvent) {
            reported.withLock { $0.append(event) }
        }

        var all: [ServerEvent] {
            reported.withLock { $0 }
        }
    }

    @Test func withoutFaultsNothingIsReported() {
        let events = EventRecorder()
        let injector = FaultInjector(observer: events)
        let points: [FaultInjectionPoint] = [
            .accept(openConnections: 1_000), .request(ConnectionID(1), RequestSummary(.get, path: "/accessories")),
            .response(ConnectionID(1), RequestSummary(.get, path: "/accessories"), [1, 2, 3]),
            .eventMessage(ConnectionID(1), [], []), .announcement,
        ]
        for point in points {
            #expect(injector.decision(at: point, now: .zero) == .proceed)
        }
        injector.advance(to: MonotonicInstant(nanoseconds: .max))
        #expect(injector.conditions == ServerConditions())
        #expect(injector.nextDeadline == nil)
        #expect(injector.active == [])
        #expect(events.all == [])
    }
}
