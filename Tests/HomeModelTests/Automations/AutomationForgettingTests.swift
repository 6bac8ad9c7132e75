import AccessoryModel
import Testing

@testable import HomeModel

/// What is left of an automation when things are removed from its home.
struct AutomationForgettingTests {
    private static let works = Trigger<HomeIDs>.presence(.arrives(TestHome.anna))
    private static let isDark = Condition<HomeIDs>
        .not(.all([.days(.weekend), .characteristic(TestHome.other, .equals(true))]))

    private static func everything() throws -> Automation {
        try TestHome.automation(
            40,
            "It",
            when: works,
            if: isDark,
            set: [TestHome.action(TestHome.light, true), TestHome.action(TestHome.lamp, true)],
            end: EndEvent<HomeIDs>(
                .when(TestHome.door, .equals(1)),
                .actions([TestHome.action(TestHome.light, false), TestHome.action(TestHome.lamp, false)])
            )
        )
    }

    @Test func whatItDoesNotNameIsNoLoss() throws {
        var automation = try Self.everything()
        let before = automation
        #expect(automation.rule.forget(RemovedObjects(services: [ObjectID(14)], users: [TestHome.ben])) == .nothing)
        #expect(automation == before)
    }

    @Test func whatItWaitsForIsEverything() throws {
        var automation = try Self.everything()
        #expect(automation.rule.forget(RemovedObjects(users: [TestHome.anna])) == .everything)
        automation = try TestHome.automation(40, "It", when: .characteristic(TestHome.door, .changes))
        #expect(automation.rule.forget(RemovedObjects(characteristics: [TestHome.door])) == .everything)
    }

    @Test func allThatItDoesIsEverything() throws {
        var automation = try TestHome.automation(40, "It", when: Self.works, set: [], scenes: [TestHome.movie])
        #expect(automation.rule.forget(RemovedObjects(scenes: [TestHome.movie])) == .everything)
    }

    @Test func oneOfItsActionsIsAPart() throws {
        var automation = try Self.everything()
        #expect(automation.rule.forget(RemovedObjects(services: [ObjectID(12)])) == .part)
        #expect(automation.targets.own == [TestHome.action(TestHome.light, true)])
        #expect(automation.end?.ending == .actions([TestHome.action(TestHome.light, false)]))
        #expect(automation.isEnabled)
    }

    @Test func whatItsConditionNeedsIsItsSense() throws {
        var automation = try Self.everything()
        #expect(automation.rule.forget(RemovedObjects(services: [ObjectID(13)])) == .sense)
        #expect(automation.condition == nil && !automation.isEnabled)
    }

    @Test func whatItsEndWaitsForIsItsSense() throws {
        var automation = try Self.everything()
        #expect(automation.rule.forget(RemovedObjects(services: [ObjectID(10)])) == .sense)
        #expect(automation.end == nil && !automation.isEnabled)
    }
}
