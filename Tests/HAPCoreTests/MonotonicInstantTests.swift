import HAPCore
import Testing

struct MonotonicInstantTests {
    private let earliest = MonotonicInstant(nanoseconds: .min)
    private let latest = MonotonicInstant(nanoseconds: .max)

    @Test func advancingAddsNanoseconds() {
        #expect(MonotonicInstant.zero.advanced(by: .milliseconds(1500)).nanoseconds == 1_500_000_000)
        #expect(MonotonicInstant.zero.advanced(by: .milliseconds(-1500)).nanoseconds == -1_500_000_000)
    }

    @Test func advancingSaturatesAtTheEndsOfTheRange() {
        #expect(latest.advanced(by: .nanoseconds(1)) == latest)
        #expect(earliest.advanced(by: .nanoseconds(-1)) == earliest)
        #expect(MonotonicInstant.zero.advanced(by: .seconds(Int64.max)) == latest)
        #expect(MonotonicInstant.zero.advanced(by: .seconds(Int64.min)) == earliest)
        #expect(latest.advanced(by: .seconds(Int64.min)).nanoseconds == -1)
    }

    @Test func advancingByTheDistanceReachesTheOtherInstant() {
        let instants = [earliest, .zero, latest] + [-7, 5, 1 << 62].map { MonotonicInstant(nanoseconds: $0) }
        for start in instants {
            for begin in instants {
                for end in instants {
                    #expect(
                        start.advanced(byDistanceFrom: begin, to: end) == start.advanced(by: begin.duration(to: end))
                    )
                }
            }
        }
    }

    @Test func theDistanceBetweenTheRangesEndsIsExact() {
        #expect(earliest.duration(to: latest) == .nanoseconds(Int64.max) - .nanoseconds(Int64.min))
        #expect(latest.duration(to: earliest) < .zero)
        #expect(MonotonicInstant(nanoseconds: 5).duration(to: MonotonicInstant(nanoseconds: 7)) == .nanoseconds(2))
    }
}
