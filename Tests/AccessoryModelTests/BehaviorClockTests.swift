import AccessoryModel
import HAPCore
import Testing

/// Tests how time passes for behaviors.
@Suite struct BehaviorClockTests {
    private static func instant(_ seconds: Int) -> MonotonicInstant {
        .zero.advanced(by: .seconds(seconds))
    }

    @Test func clockInitiallyShowsMonotonicTime() {
        let clock = BehaviorClock()
        for seconds in [-5, 0, 1, 1_000_000] {
            #expect(clock.time(at: Self.instant(seconds)) == Self.instant(seconds))
            #expect(clock.instant(showing: Self.instant(seconds)) == Self.instant(seconds))
        }
    }

    @Test func scaleAppliesFromTheMomentOfTheChange() {
        var clock = BehaviorClock()
        clock.setScale(60, at: Self.instant(100))
        #expect(clock.time(at: Self.instant(100)) == Self.instant(100))
        #expect(clock.time(at: Self.instant(101)) == Self.instant(160))
        clock.setScale(0.5, at: Self.instant(101))
        #expect(clock.time(at: Self.instant(103)) == Self.instant(161))
    }

    @Test(arguments: [0.001, 0.3, 1, 7, 60, 1_000_000])
    func timeIsReachedAtItsComputedMoment(scale: Double) throws {
        var clock = BehaviorClock()
        clock.setScale(scale, at: Self.instant(10))
        let deadline = Self.instant(10).advanced(by: .milliseconds(12_345))
        let moment = try #require(clock.instant(showing: deadline))
        #expect(clock.time(at: moment) >= deadline)
        #expect(clock.time(at: moment.advanced(by: .microseconds(-2))) < deadline)
    }

    @Test func clockPausesAndResumes() {
        var clock = BehaviorClock()
        clock.pause(at: Self.instant(10))
        #expect(clock.time(at: Self.instant(50)) == Self.instant(10))
        #expect(clock.instant(showing: Self.instant(11)) == nil)
        #expect(clock.instant(showing: Self.instant(10)) == Self.instant(10))
        clock.resume(at: Self.instant(50))
        #expect(clock.time(at: Self.instant(51)) == Self.instant(11))
    }

    @Test func clockJumpsForwardOnly() {
        var clock = BehaviorClock()
        clock.jump(to: Self.instant(3_600), at: Self.instant(1))
        #expect(clock.time(at: Self.instant(2)) == Self.instant(3_601))
        clock.jump(to: Self.instant(5), at: Self.instant(2))
        #expect(clock.time(at: Self.instant(2)) == Self.instant(3_601))
    }

    @Test func scaleBeyondTheLimitsIsClamped() {
        var clock = BehaviorClock()
        for (asked, got) in [(0, 0.001), (-3, 0.001), (Double.infinity, 1_000_000)] {
            clock.setScale(asked, at: .zero)
            #expect(clock.scale == got)
        }
        clock.setScale(.nan, at: .zero)
        #expect(clock.scale == 1_000_000)
    }

    @Test func extremeTimesDoNotTrap() {
        var clock = BehaviorClock()
        clock.setScale(1_000_000, at: .zero)
        #expect(clock.time(at: MonotonicInstant(nanoseconds: .max)) == MonotonicInstant(nanoseconds: .max))
        clock.setScale(0.001, at: MonotonicInstant(nanoseconds: .max))
        #expect(clock.instant(showing: MonotonicInstant(nanoseconds: .max)) != nil)
    }
}
