import Testing

@testable import hap

/// What is printed of a storm, on simulated time.
@Suite struct LineLimiterTests {
    private let start = ContinuousClock.now
    private var limiter = LineLimiter<String, Int>()

    private mutating func take(_ line: Int, about subject: String = "a", at seconds: Double = 0)
        -> LineLimiter<String, Int>.Verdict
    {
        limiter.take(line, about: subject, at: start.advanced(by: .seconds(seconds)))
    }

    @Test mutating func fiveLinesPassAndTheSixthBeginsToWait() {
        for line in 1...5 {
            let verdict = take(line)
            #expect(verdict.isPassed)
            #expect(verdict.begunAt == nil)
        }
        let sixth = take(6)
        #expect(!sixth.isPassed)
        #expect(sixth.begunAt == start)
        let seventh = take(7, at: 0.999)
        #expect(!seventh.isPassed)
        #expect(seventh.begunAt == nil)
        let held = limiter.end("a", begunAt: start)
        #expect(held?.line == 7)
        #expect(held?.leftOut == 1)
        #expect(limiter.end("a", begunAt: start) == nil)
    }

    @Test mutating func theNextSecondBringsTheHeldLineFirst() {
        for line in 1...10 {
            _ = take(line)
        }
        let verdict = take(11, at: 1)
        #expect(verdict.isPassed)
        #expect(verdict.overdue?.line == 10)
        #expect(verdict.overdue?.leftOut == 4)
        // The end of the first second comes late, and ends nothing.
        #expect(limiter.end("a", begunAt: start) == nil)
    }

    @Test mutating func fewLinesLeaveNothingBehind() {
        for line in 1...5 {
            _ = take(line)
        }
        #expect(take(6, at: 1).overdue == nil)
        #expect(limiter.endAll().isEmpty)
    }

    @Test mutating func eachSubjectHasItsOwnSecond() {
        for line in 1...6 {
            _ = take(line)
        }
        #expect(take(1, about: "b").isPassed)
        #expect(limiter.endAll().map(\.line) == [6])
    }
}
