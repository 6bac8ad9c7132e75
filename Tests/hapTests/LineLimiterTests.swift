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
            #expect(!verdict.beginsToWait)
        }
        let sixth = take(6)
        #expect(!sixth.isPassed)
        #expect(sixth.beginsToWait)
        let seventh = take(7, at: 0.999)
        #expect(!seventh.isPassed)
        #expect(!seventh.beginsToWait)
        let early = limiter.endSeconds(at: start.advanced(by: .seconds(0.999)))
        #expect(early.held.isEmpty)
        #expect(early.next == start.advanced(by: .seconds(1)))
        let due = limiter.endSeconds(at: start.advanced(by: .seconds(1)))
        #expect(due.held.map(\.line) == [7])
        #expect(due.held.map(\.leftOut) == [1])
        #expect(due.next == nil)
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
        #expect(limiter.endSeconds(at: start.advanced(by: .seconds(1.5))).held.isEmpty)
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
        for line in 11...17 {
            _ = take(line, about: "b", at: 0.5)
        }
        let first = limiter.endSeconds(at: start.advanced(by: .seconds(1.2)))
        #expect(first.held.map(\.line) == [6])
        #expect(first.next == start.advanced(by: .seconds(1.5)))
        #expect(limiter.endAll().map(\.line) == [17])
    }
}
