import AccessoryModel
import HAPCore
import Testing

@testable import WebConsole

struct SimulatedTimesTests {
    private func simulated(_ times: SimulatedTimes, at seconds: Int64) -> MonotonicInstant? {
        times.simulatedTime(at: EventTime(nanoseconds: seconds * 1_000_000_000))
    }

    private func instant(_ seconds: Int64) -> MonotonicInstant { .zero.advanced(by: .seconds(seconds)) }

    private func append(_ times: inout SimulatedTimes, at seconds: Int64, shows shown: Int64, scale: Double) {
        times.append(EventTime(nanoseconds: seconds * 1_000_000_000), shows: instant(shown), scale: scale)
    }

    @Test func eventHasTheTimeOfTheClockThatAppliedThen() {
        var times = SimulatedTimes()
        #expect(simulated(times, at: 100) == nil)
        append(&times, at: 100, shows: 5, scale: 1)
        append(&times, at: 110, shows: 15, scale: 60)
        append(&times, at: 120, shows: 615, scale: 0)
        // An hour is jumped over.
        append(&times, at: 130, shows: 4_215, scale: 0)
        #expect(times.start == instant(5))
        let expected: [Int64: Int64] = [100: 5, 109: 14, 110: 15, 115: 315, 125: 615, 130: 4_215, 1_000: 4_215]
        for (time, shown) in expected { #expect(simulated(times, at: time) == instant(shown), "\(time)") }
        #expect(simulated(times, at: 99) == nil)
    }

    @Test func oldestChangesAreForgotten() {
        var times = SimulatedTimes()
        for second in 0...Int64(SimulatedTimes.capacity) { append(&times, at: second, shows: second, scale: 1) }
        #expect(simulated(times, at: 0) == nil)
        #expect(simulated(times, at: 1) == instant(1))
        #expect(times.start == instant(0))
    }
}
