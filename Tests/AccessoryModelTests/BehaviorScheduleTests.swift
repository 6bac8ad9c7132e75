import HAPCore
import TestSupport
import Testing

@testable import AccessoryModel

@Suite
struct BehaviorScheduleTests {
    @Test
    func nothingIsDueAtFirst() {
        let schedule = BehaviorSchedule(count: 3)
        #expect(schedule.earliest == nil)
        #expect(schedule.due(by: MonotonicInstant(nanoseconds: .max)) == [])
    }

    @Test
    func simultaneousBehaviorsRunInDeclarationOrder() {
        var schedule = BehaviorSchedule(count: 3)
        for behavior in [2, 0, 1] {
            schedule.setDeadline(MonotonicInstant(nanoseconds: 5), of: behavior)
        }
        #expect(schedule.due(by: MonotonicInstant(nanoseconds: 5)).map(\.behavior) == [0, 1, 2])
        #expect(schedule.earliest?.behavior == 0)
    }

    @Test
    func behaviorsDueLaterAreLeft() {
        var schedule = BehaviorSchedule(count: 2)
        schedule.setDeadline(MonotonicInstant(nanoseconds: 5), of: 0)
        schedule.setDeadline(MonotonicInstant(nanoseconds: 6), of: 1)
        #expect(schedule.due(by: MonotonicInstant(nanoseconds: 4)) == [])
        #expect(schedule.due(by: MonotonicInstant(nanoseconds: 5)).map(\.behavior) == [0])
    }

    /// Compares the schedule with a simple linear search.
    @Test(arguments: 0..<20)
    func scheduleMatchesALinearSearch(seed: UInt64) {
        var chance = SeededRandom(seed: seed)
        let count = Int.random(in: 1...40, using: &chance)
        var schedule = BehaviorSchedule(count: count)
        var deadlines = [MonotonicInstant?](repeating: nil, count: count)
        for _ in 0..<500 {
            let behavior = Int.random(in: 0..<count, using: &chance)
            let deadline =
                Bool.random(using: &chance)
                ? MonotonicInstant(nanoseconds: .random(in: 0...30, using: &chance)) : nil
            schedule.setDeadline(deadline, of: behavior)
            deadlines[behavior] = deadline
            let now = MonotonicInstant(nanoseconds: .random(in: 0...30, using: &chance))
            let due = deadlines.enumerated()
                .compactMap { index, deadline in
                    deadline.flatMap { $0 <= now ? BehaviorSchedule.Entry(deadline: $0, behavior: index) : nil }
                }
                .sorted { ($0.deadline, $0.behavior) < ($1.deadline, $1.behavior) }
            #expect(schedule.due(by: now) == due)
            #expect(schedule.earliest?.deadline == deadlines.compactMap(\.self).min())
        }
    }
}
