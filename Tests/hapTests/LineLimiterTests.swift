import Hosting
import Testing

@testable import hap

/// The lines that are printed during a storm of events, in simulated time.
@Suite struct LineLimiterTests {
    private let start = ContinuousClock.now
    private var limiter = LineLimiter<String, Int>()

    private mutating func process(_ line: Int, about subject: String = "a", at seconds: Double = 0)
        -> LineLimiter<String, Int>.Decision
    {
        limiter.decide(on: line, about: subject, at: start.advanced(by: .seconds(seconds)))
    }

    @Test mutating func fiveLinesPassAndTheSixthIsDelayed() {
        for line in 1...5 {
            let verdict = process(line)
            #expect(verdict.isPrinted)
            #expect(!verdict.startsHolding)
        }
        let sixth = process(6)
        #expect(!sixth.isPrinted)
        #expect(sixth.startsHolding)
        let seventh = process(7, at: 0.999)
        #expect(!seventh.isPrinted)
        #expect(!seventh.startsHolding)
        let early = limiter.finishWindows(at: start.advanced(by: .seconds(0.999)))
        #expect(early.held.isEmpty)
        #expect(early.next == start.advanced(by: .seconds(1)))
        let due = limiter.finishWindows(at: start.advanced(by: .seconds(1)))
        #expect(due.held.map(\.line) == [7])
        #expect(due.held.map(\.omittedCount) == [1])
        #expect(due.next == nil)
    }

    @Test mutating func nextSecondPrintsTheDelayedLineFirst() {
        for line in 1...10 {
            _ = process(line)
        }
        let verdict = process(11, at: 1)
        #expect(verdict.isPrinted)
        #expect(verdict.heldBefore?.line == 10)
        #expect(verdict.heldBefore?.omittedCount == 4)
        // The end of the first second is noticed late, and has no effect.
        #expect(limiter.finishWindows(at: start.advanced(by: .seconds(1.5))).held.isEmpty)
    }

    @Test mutating func fewLinesLeaveNothingDelayed() {
        for line in 1...5 {
            _ = process(line)
        }
        #expect(process(6, at: 1).heldBefore == nil)
        #expect(limiter.finishAll().isEmpty)
    }

    @Test mutating func eachSubjectIsLimitedSeparately() {
        for line in 1...6 {
            _ = process(line)
        }
        for line in 11...17 {
            _ = process(line, about: "b", at: 0.5)
        }
        let first = limiter.finishWindows(at: start.advanced(by: .seconds(1.2)))
        #expect(first.held.map(\.line) == [6])
        #expect(first.next == start.advanced(by: .seconds(1.5)))
        #expect(limiter.finishAll().map(\.line) == [17])
    }
}
