import AccessoryModel
import Testing

@testable import HomeModel

/// Tests what remains of an automation when objects are removed from its home.
struct AutomationReferenceRemovalTests {
    private static let works = Trigger<HomeIDs>.presence(.arrives(TestHome.anna))
    private static let isDark = Condition<HomeIDs>
        .not(.all([.days(.weekend), .characteristic(TestHome.other, .equals(true))]))

    private static func allObjects() throws -> Automation {
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

    @Test func anUnreferencedObjectIsNoLoss() throws {
        var automation = try Self.allObjects()
        let before = automation
        #expect(
            automation.rule.removeReferences(to: RemovedObjects(services: [ObjectID(14)], users: [TestHome.ben]))
                == .none
        )
        #expect(automation == before)
    }

    @Test func removingAllTriggersRemovesTheAutomation() throws {
        var automation = try Self.allObjects()
        #expect(automation.rule.removeReferences(to: RemovedObjects(users: [TestHome.anna])) == .triggersOrActions)
        automation = try TestHome.automation(40, "It", when: .characteristic(TestHome.door, .changes))
        #expect(
            automation.rule.removeReferences(to: RemovedObjects(characteristics: [TestHome.door])) == .triggersOrActions
        )
    }

    @Test func removingAllActionsRemovesTheAutomation() throws {
        var automation = try TestHome.automation(40, "It", when: Self.works, set: [], scenes: [TestHome.movie])
        #expect(automation.rule.removeReferences(to: RemovedObjects(scenes: [TestHome.movie])) == .triggersOrActions)
    }

    @Test func removingOneActionIsPartial() throws {
        var automation = try Self.allObjects()
        #expect(automation.rule.removeReferences(to: RemovedObjects(services: [ObjectID(12)])) == .partial)
        #expect(automation.targets.ownActions == [TestHome.action(TestHome.light, true)])
        #expect(automation.end?.effect == .actions([TestHome.action(TestHome.light, false)]))
        #expect(automation.isEnabled)
    }

    @Test func removingWhatTheConditionNeedsDisablesTheAutomation() throws {
        var automation = try Self.allObjects()
        #expect(automation.rule.removeReferences(to: RemovedObjects(services: [ObjectID(13)])) == .conditionOrEnd)
        #expect(automation.condition == nil && !automation.isEnabled)
    }

    @Test func removingWhatTheEndWaitsForDisablesTheAutomation() throws {
        var automation = try Self.allObjects()
        #expect(automation.rule.removeReferences(to: RemovedObjects(services: [ObjectID(10)])) == .conditionOrEnd)
        #expect(automation.end == nil && !automation.isEnabled)
    }
}
