import AccessoryModel
import Documents
import HAPCore
import HomeModel
import Synchronization
import TestSupport
import Testing

@testable import HomeKit

/// Tests of triggers, events and predicates.
@Suite struct TriggerTests {
    private static let tonight = Date(
        timeIntervalSince1970: (Date().timeIntervalSince1970 / 60).rounded(.up) * 60 + 3600
    )

    /// A home with a garage and a scene that switches the light on.
    private static func start(runsTriggers: Bool = false) async throws -> (HomeKitFixture, HMHome, HMActionSet) {
        let fixture = try await HomeKitFixture(runsTriggers: runsTriggers)
        let home = try await fixture.home()
        let scene = try await home.addActionSet(named: "Bright")
        let power = try home.characteristic(HMCharacteristicTypePowerState)
        try await scene.addAction(HMCharacteristicWriteAction(characteristic: power, targetValue: true as NSNumber))
        return (fixture, home, scene)
    }

    @Test func timerTriggerIsAddedEnabledAndChanged() async throws {
        let (fixture, home, scene) = try await Self.start()
        let trigger = HMTimerTrigger(name: "Evening", fireDate: Self.tonight, recurrence: DateComponents(day: 1))
        #expect(!trigger.isEnabled && trigger.actionSets.isEmpty && trigger.fireDate == Self.tonight)
        try await home.addTrigger(trigger)
        #expect(home.triggers == [trigger] && !trigger.isEnabled)
        try await trigger.addActionSet(scene)
        try await trigger.enable(true)
        #expect(trigger.isEnabled && trigger.actionSets == [scene])
        #expect(trigger.fireDate == Self.tonight && trigger.recurrence == DateComponents(day: 1))
        try await trigger.updateFireDate(Self.tonight.addingTimeInterval(60))
        try await trigger.updateRecurrence(DateComponents(hour: 6))
        #expect(trigger.fireDate == Self.tonight.addingTimeInterval(60))
        #expect(trigger.recurrence == DateComponents(hour: 6, minute: 0))
        try await trigger.updateRecurrence(DateComponents(weekOfYear: 2))
        #expect(trigger.recurrence == DateComponents(weekOfYear: 2))
        try await trigger.updateName("Night")
        let other = try await fixture.anotherManager()
        let loaded = try #require(other.homes.first?.triggers.first as? HMTimerTrigger)
        #expect(loaded.name == "Night" && loaded.uniqueIdentifier == trigger.uniqueIdentifier)
        try await trigger.enable(false)
        #expect(!loaded.isEnabled)
        try await trigger.enable(true)
        try await trigger.removeActionSet(scene)
        #expect(!loaded.isEnabled && loaded.actionSets.isEmpty, "without its last scene, it is disabled")
        try await home.removeTrigger(trigger)
        #expect(home.triggers.isEmpty && trigger.name == "Night")
        await fixture.close()
    }

    @Test func eventsOfAllKindsAreStoredAndLoaded() async throws {
        let (fixture, home, _) = try await Self.start()
        try await fixture.changeHomeElsewhere { home throws(HomeError) in
            home.setPlace(GeographicPlace(latitude: 50, longitude: 8))
            _ = try home.addUser(named: ObjectName("Ada"), role: .owner)
        }
        try await eventually("the user is there") { home.currentUser.name == "Ada" }
        let power = try home.characteristic(HMCharacteristicTypePowerState)
        let brightness = try home.characteristic(HMCharacteristicTypeBrightness)
        let events: [HMEvent] = [
            HMCharacteristicEvent(characteristic: power, triggerValue: true as NSNumber),
            HMCharacteristicEvent<any NSCopying>(characteristic: power, triggerValue: nil),
            HMCharacteristicThresholdRangeEvent(
                characteristic: brightness,
                thresholdRange: HMNumberRange(minValue: 50)
            ),
            HMCalendarEvent(fire: DateComponents(hour: 7, minute: 30)),
            HMSignificantTimeEvent(significantEvent: .sunset, offset: DateComponents(minute: -30)),
            HMPresenceEvent(presenceEventType: .firstEntry, presenceUserType: .homeUsers),
            HMPresenceEvent(presenceEventType: .everyExit, presenceUserType: .currentUser),
        ]
        let trigger = HMEventTrigger(name: "All", events: events, predicate: nil)
        try await home.addTrigger(trigger)
        let other = try await fixture.anotherManager()
        let loaded = try #require(other.homes.first?.triggers.first as? HMEventTrigger)
        #expect(loaded.events.count == events.count)
        #expect(loaded.events == loaded.events, "one object for each event")
        let value = try #require(loaded.events[0] as? HMCharacteristicEvent<any NSCopying>)
        #expect((value.triggerValue as? NSNumber)?.boolValue == true)
        #expect(value.characteristic.uniqueIdentifier == power.uniqueIdentifier)
        #expect((loaded.events[1] as? HMCharacteristicEvent<any NSCopying>)?.triggerValue == nil)
        let range = try #require(loaded.events[2] as? HMCharacteristicThresholdRangeEvent).thresholdRange
        #expect(range.minValue == 50 && range.maxValue == nil)
        #expect((loaded.events[3] as? HMCalendarEvent)?.fireDateComponents == DateComponents(hour: 7, minute: 30))
        let sun = try #require(loaded.events[4] as? HMSignificantTimeEvent)
        #expect(sun.significantEvent == .sunset && sun.offset == DateComponents(hour: 0, minute: -30))
        #expect((loaded.events[5] as? HMPresenceEvent)?.presenceEventType == .atHome)
        #expect((loaded.events[6] as? HMPresenceEvent)?.presenceUserType == .currentUser)
        // Loaded events can be stored again.
        let stored = try #require(trigger.modelReference?.model.triggers)
        try await loaded.updateEvents(loaded.events + [HMCalendarEvent(fire: DateComponents(hour: 8, weekday: 2))])
        #expect(trigger.modelReference?.model.triggers.dropLast() == stored[...])
        #expect((loaded.events.last as? HMCalendarEvent)?.fireDateComponents.weekday == 2)
        try await trigger.updateEvents([events[0]])
        #expect(loaded.events.count == 1)
        await fixture.close()
    }

    @Test func changesThatDoNotWaitForEachOtherAreAllMade() async throws {
        let (fixture, home, scene) = try await Self.start()
        let trigger = HMTimerTrigger(name: "Evening", fireDate: Self.tonight, recurrence: nil)
        let later = Self.tonight.addingTimeInterval(600)
        let errors = Mutex<[(any Error)?]>([])
        let note: @Sendable ((any Error)?) -> Void = { error in errors.withLock { $0.append(error) } }
        home.addTrigger(trigger, completionHandler: note)
        try await eventually("the trigger is there") { home.triggers == [trigger] }
        trigger.updateFireDate(later, completionHandler: note)
        trigger.updateRecurrence(DateComponents(day: 2), completionHandler: note)
        trigger.addActionSet(scene, completionHandler: note)
        trigger.enable(true, completionHandler: note)
        try await eventually("all handlers are called") { errors.withLock(\.count) == 5 }
        #expect(errors.withLock { $0.allSatisfy { $0 == nil } })
        #expect(trigger.fireDate == later && trigger.recurrence == DateComponents(day: 2) && trigger.isEnabled)
        trigger.addActionSet(scene, completionHandler: note)
        try await eventually("the handler is called") { errors.withLock(\.count) == 6 }
        #expect((errors.withLock(\.last) as? HMError)?.code == .alreadyExists)
        await fixture.close()
    }

    @Test func endEventsRestoreTheFormerValues() async throws {
        let (fixture, home, _) = try await Self.start()
        let power = try home.characteristic(HMCharacteristicTypePowerState)
        let start = HMCharacteristicEvent(characteristic: power, triggerValue: true as NSNumber)
        let trigger = HMEventTrigger(
            name: "For a while",
            events: [start],
            end: [HMDurationEvent(duration: 90)],
            recurrences: nil,
            predicate: nil
        )
        try await home.addTrigger(trigger)
        #expect(trigger.modelReference?.model.end == EndEvent(.after(.seconds(90)), .restore))
        #expect((trigger.endEvents.first as? HMDurationEvent)?.duration == 90)
        try await trigger.updateEndEvents([
            HMCharacteristicEvent(characteristic: power, triggerValue: false as NSNumber)
        ])
        #expect((trigger.endEvents.first as? HMCharacteristicEvent<any NSCopying>)?.triggerValue as? NSNumber == 0)
        try await trigger.updateEndEvents([])
        #expect(trigger.modelReference?.model.end == nil && trigger.endEvents.isEmpty)
        await fixture.close()
    }

    @Test func eventsAreCopiedAndChanged() throws {
        let event = HMCalendarEvent(fire: DateComponents(hour: 7))
        let mutable = try #require(event.mutableCopy() as? HMMutableCalendarEvent)
        mutable.fireDateComponents = DateComponents(hour: 8)
        let copy = try #require(mutable.copy() as? HMCalendarEvent)
        mutable.fireDateComponents = DateComponents(hour: 9)
        #expect(event.fireDateComponents.hour == 7 && copy.fireDateComponents.hour == 8)
        let duration = try #require(HMDurationEvent(duration: 5).mutableCopy() as? HMMutableDurationEvent)
        duration.duration = 6
        #expect(duration.duration == 6)
    }

    @Test func timerWithAnIntervalThatAppleLacksIsAnEventTriggerAndStays() async throws {
        let (fixture, home, scene) = try await Self.start()
        let id = try #require(scene.modelReference?.model.scene?.id)
        let start = CivilDateTime(date: CivilDate(daysSinceEpoch: 20_000), time: CivilTime(secondOfDay: 3600))
        try await fixture.changeHomeElsewhere { home throws(HomeError) in
            let name = try ObjectName("Monthly")
            let rule = AutomationRule<HomeIDs>(
                triggers: [.calendar(start, .everyMonths(1))],
                targets: AutomationTargets(scenes: [id])
            )
            _ = try home.addAutomation { id throws(HomeError) in Automation(id: id, name: name, rule: rule) }
        }
        try await eventually("the trigger is there") { home.triggers.count == 1 }
        let trigger = try #require(home.triggers.first as? HMEventTrigger)
        try await trigger.updateEvents(trigger.events)
        #expect(trigger.modelReference?.model.triggers == [.calendar(start, .everyMonths(1))])
        await fixture.close()
    }

    @Test func predicatesAreStoredAndLoaded() async throws {
        let (fixture, home, _) = try await Self.start()
        try await fixture.changeHomeElsewhere { home throws(HomeError) in
            home.setPlace(GeographicPlace(latitude: 50, longitude: 8))
        }
        try await eventually("the place is there") { home.modelReference?.model.place != nil }
        let power = try home.characteristic(HMCharacteristicTypePowerState)
        let brightness = try home.characteristic(HMCharacteristicTypeBrightness)
        let isOff = HMEventTrigger.predicateForEvaluatingTrigger(power, relatedBy: .equalTo, toValue: false)
        let isDim = HMEventTrigger.predicateForEvaluatingTrigger(brightness, relatedBy: .lessThanOrEqualTo, toValue: 40)
        let sunset = HMSignificantTimeEvent(significantEvent: .sunset, offset: nil)
        let isDark = HMEventTrigger.predicateForEvaluatingTriggerOccurring(afterSignificantEvent: sunset)
        let isNight = HMEventTrigger.predicateForEvaluatingTriggerOccurringBetweenDate(
            with: DateComponents(hour: 22),
            secondDateWith: DateComponents(hour: 6)
        )
        let presence = HMPresenceEvent(presenceEventType: .atHome, presenceUserType: .homeUsers)
        let isHome = HMEventTrigger.predicateForEvaluatingTrigger(withPresence: presence)
        let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
            isOff, NSCompoundPredicate(notPredicateWithSubpredicate: isDim), isHome,
            NSCompoundPredicate(orPredicateWithSubpredicates: [isDark, isNight]),
        ])
        let trigger = HMEventTrigger(
            name: "Night",
            events: [HMCalendarEvent(fire: DateComponents(hour: 7))],
            end: nil,
            recurrences: [DateComponents(weekday: 1), DateComponents(weekday: 7)],
            predicate: predicate
        )
        try await home.addTrigger(trigger)
        let stored = try #require(trigger.modelReference?.model.condition)
        guard case .all(let parts) = stored, parts.count == 2, case .days(.weekend) = parts[0],
            case .all(let rest) = parts[1]
        else {
            Issue.record("the condition is \(stored)")
            return
        }
        #expect(rest.count == 4)
        #expect(trigger.recurrences == [DateComponents(weekday: 7), DateComponents(weekday: 1)])
        let loaded = try #require(trigger.predicate as? NSCompoundPredicate)
        #expect(loaded.compoundPredicateType == .and && loaded.subpredicates.count == 4)
        let first = try #require(loaded.subpredicates[0] as? HMConditionPredicate)
        guard case .characteristic(let characteristic, .equalTo, let value) = first.condition else {
            Issue.record("the first predicate is \(first.condition)")
            return
        }
        #expect(characteristic === power && value as? Bool == false)
        // A loaded predicate can be stored again.
        try await trigger.updatePredicate(loaded)
        try await trigger.updateRecurrences(nil)
        #expect(trigger.modelReference?.model.condition == .all(rest) && trigger.recurrences == nil)
        try await trigger.updatePredicate(nil)
        #expect(trigger.predicate == nil && trigger.modelReference?.model.condition == nil)
        await fixture.close()
    }

    @Test(arguments: [
        (NSComparisonPredicate.Operator.equalTo, true), (.notEqualTo, true), (.lessThan, true), (.greaterThan, true),
        (.lessThanOrEqualTo, true), (.greaterThanOrEqualTo, true), (.like, false), (.in, false),
    ])
    func sixComparisonsAreSupported(comparison: NSComparisonPredicate.Operator, isSupported: Bool) async throws {
        let (fixture, home, _) = try await Self.start()
        let brightness = try home.characteristic(HMCharacteristicTypeBrightness)
        let trigger = HMEventTrigger(
            name: "Dim",
            events: [HMCalendarEvent(fire: DateComponents(hour: 7))],
            predicate: HMEventTrigger.predicateForEvaluatingTrigger(brightness, relatedBy: comparison, toValue: 40)
        )
        do {
            try await home.addTrigger(trigger)
            let loaded = try #require(trigger.predicate as? HMConditionPredicate)
            guard case .characteristic(_, let operation, let value) = loaded.condition else {
                Issue.record("the predicate is \(loaded.condition)")
                return
            }
            #expect(operation == comparison && value as? Int == 40 && isSupported)
        } catch HMError.operationNotSupported {
            #expect(!isSupported)
        }
        await fixture.close()
    }

    @Test func triggerRunsInsideTheProcess() async throws {
        let (fixture, home, scene) = try await Self.start(runsTriggers: true)
        try await eventually("the process runs the home") { home.homeHubState == .connected }
        let state = try home.characteristic(HMCharacteristicTypeCurrentDoorState)
        let power = try home.characteristic(HMCharacteristicTypePowerState)
        let event = HMCharacteristicEvent(characteristic: state, triggerValue: 2 as NSNumber)
        let trigger = HMEventTrigger(name: "Light the Garage", events: [event], predicate: nil)
        try await home.addTrigger(trigger)
        try await trigger.addActionSet(scene)
        try await trigger.updateExecuteOnce(true)
        try await trigger.enable(true)
        #expect(trigger.triggerActivationState == .enabled && trigger.executeOnce)
        let recorder = Recorder()
        home.delegate = recorder
        try #require(home.accessories.first).delegate = recorder
        try await power.enableNotificationWhenReachable()
        // The running home takes the trigger over within half a second; the door moves until it has.
        for _ in 0..<20 where power.value as? Bool != true {
            for value in [1, 2] {
                try await fixture.report(.integer(value), of: state)
                try await eventually("the door has moved") { state.value as? Int == value }
            }
        }
        try await eventually("the light is on") { power.value as? Bool == true }
        try await recorder.wait(for: "changed trigger Light the Garage")
        #expect(!trigger.isEnabled, "it has run once")
        await fixture.close()
    }

    @Test func automationsOfTheModelAreShownAsTriggers() async throws {
        let (fixture, home, scene) = try await Self.start()
        let model = try #require(home.modelReference?.model)
        let light = try #require(model.accessories[0].services.first { $0.type == .lightbulb })
        let on = CharacteristicSelector(service: light.id, type: .on)
        let id = try #require(scene.modelReference?.model.scene?.id)
        try await fixture.changeHomeElsewhere { home throws(HomeError) in
            let rules: [(String, AutomationRule<HomeIDs>)] = [
                (
                    "Own",
                    AutomationRule(
                        triggers: [.characteristic(on, .changes)],
                        targets: AutomationTargets(
                            ownActions: [HomeAction(characteristic: on, value: true)]
                        ),
                        end: EndEvent(.after(.seconds(90)), .restore)
                    )
                ),
                (
                    "Daily",
                    AutomationRule(
                        triggers: [.timeOfDay(CivilTime(secondOfDay: 3600), .weekly(.weekend))],
                        targets: AutomationTargets(scenes: [id])
                    )
                ),
                (
                    "Often",
                    AutomationRule(
                        triggers: [.interval(.seconds(600), from: nil)],
                        targets: AutomationTargets(scenes: [id])
                    )
                ),
            ]
            for (name, rule) in rules {
                let name = try ObjectName(name)
                _ = try home.addAutomation { id throws(HomeError) in Automation(id: id, name: name, rule: rule) }
            }
        }
        try await eventually("the triggers are there") { home.triggers.count == 3 }
        let own = try #require(home.triggers[0] as? HMEventTrigger)
        let actions = try #require(own.actionSets.first)
        #expect(actions.actionSetType == HMActionSetTypeTriggerOwned && actions.actions.count == 1)
        #expect(!home.actionSets.contains(actions))
        #expect((own.endEvents.first as? HMDurationEvent)?.duration == 90)
        #expect(
            await #expect(throws: HMError.self) { try await home.executeActionSet(actions) }?.code == .invalidParameter
        )
        #expect((home.triggers[1] as? HMEventTrigger)?.events.first is HMCalendarEvent)
        #expect((home.triggers[2] as? HMEventTrigger)?.events.first is HMDurationEvent)
        await fixture.close()
    }
}
