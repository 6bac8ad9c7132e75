import HAPCore
import Testing

@testable import Simulation

struct LinearTravelTests {
    private static let early = MonotonicInstant(nanoseconds: .min)
    private static let late = MonotonicInstant(nanoseconds: .max)

    @Test func partialTravelTakesProportionalTime() {
        let travel = LinearTravel(from: 75, to: 50, at: .zero, fullTravelTime: .seconds(12))
        #expect(travel.end == MonotonicInstant(nanoseconds: 3_000_000_000))
        #expect(travel.position(at: MonotonicInstant(nanoseconds: 1_500_000_000)) == 62.5)
    }

    @Test func positionIsClampedToOriginAndDestination() {
        let travel = LinearTravel(from: 10, to: 90, at: .zero, lasting: .seconds(1))
        #expect(travel.position(at: Self.early) == 10)
        #expect(travel.position(at: .zero) == 10)
        #expect(travel.position(at: travel.end) == 90)
        #expect(travel.position(at: Self.late) == 90)
    }

    @Test(arguments: [
        (Double.nan, 0.0), (-.infinity, 0), (-1, 0), (101, 100), (.infinity, 100), (.greatestFiniteMagnitude, 100),
    ])
    func invalidPositionsAreClamped(position: Double, percent: Double) {
        let travel = LinearTravel(from: position, to: position, at: .zero, fullTravelTime: .seconds(1))
        #expect(travel.origin == percent)
        #expect(travel.destination == percent)
        #expect(travel.end == .zero)
    }

    @Test(arguments: [
        Duration.seconds(Int64.max), .nanoseconds(Int64.max), Duration(secondsComponent: .max, attosecondsComponent: 0),
    ])
    func aTravelBeyondTheClockEndsWithTheClock(duration: Duration) {
        for start in [Self.early, .zero, Self.late] {
            for travel in [
                LinearTravel(from: 0, to: 100, at: start, lasting: duration),
                LinearTravel(from: 0, to: 99.99, at: start, fullTravelTime: duration),
            ] {
                #expect(travel.end >= start)
                #expect(0...100 ~= travel.position(at: .zero))
                #expect(travel.position(at: travel.end) == travel.destination)
            }
        }
        #expect(LinearTravel(from: 0, to: 100, at: .zero, lasting: duration).end == Self.late)
    }

    @Test func halfTheClockRangeIsHalfTheWay() {
        let travel = LinearTravel(from: 0, to: 100, at: Self.early, lasting: .nanoseconds(Int64.max))
        #expect(travel.position(at: MonotonicInstant(nanoseconds: .min / 2)) == 50)
    }

    @Test(arguments: [Duration.seconds(-1), .seconds(Int64.min), .zero])
    func aTravelWithoutDurationArrivesAtOnce(duration: Duration) {
        for travel in [
            LinearTravel(from: 0, to: 100, at: .zero, lasting: duration),
            LinearTravel(from: 0, to: 100, at: .zero, fullTravelTime: duration),
        ] {
            #expect(travel.end == .zero)
            #expect(travel.position(at: .zero) == 100)
        }
    }
}
