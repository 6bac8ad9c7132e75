internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import HomeModel

/// A predicate of ``HMEventTrigger``.
///
/// On Apple's platforms, apps read such predicates through `NSComparisonPredicate`, whose properties Foundation for Linux
/// does not have. Here, ``condition`` has their content.
public final class HMConditionPredicate: NSPredicate {
    /// What a predicate tests.
    public enum Condition {
        /// A comparison of a characteristic with a value: ==, !=, <, <=, > or >=.
        case characteristic(HMCharacteristic, NSComparisonPredicate.Operator, toValue: Any)
        /// A range of times of day; `nil` means midnight.
        case time(after: DateComponents?, before: DateComponents?)
        /// A range that begins or ends at sunrise or sunset; `nil` means midnight.
        case significantEvents(after: HMSignificantTimeEvent?, before: HMSignificantTimeEvent?)
        /// Who is at home.
        case presence(HMPresenceEvent)
        /// A condition that HomeKit cannot express, such as days of the week.
        ///
        /// It is preserved, but apps cannot create it.
        case other(String)
    }

    /// What the predicate tests.
    public let condition: Condition
    /// The condition that a predicate of a stored trigger has.
    private let stored: HomeModel.Condition<HomeIDs>?

    init(_ condition: Condition, stored: HomeModel.Condition<HomeIDs>? = nil) {
        (self.condition, self.stored) = (condition, stored)
        super.init(value: true)
    }

    /// Always `nil`: predicates are stored by their home.
    public required init?(coder: NSCoder) { nil }

    /// Returns itself: a predicate does not change.
    public override func copy(with zone: NSZone? = nil) -> Any { self }

    /// A description of ``condition`` for debugging.
    public override var predicateFormat: String { "\(condition)" }

    // MARK: To a home

    /// Returns the condition of a predicate.
    ///
    /// - Throws: `invalidParameter` for a predicate that was not created by ``HMEventTrigger``.
    static func condition(of predicate: NSPredicate, in home: Home) throws(HMError) -> HomeModel.Condition<HomeIDs> {
        var count = 0
        return try condition(of: predicate, in: home, depth: 0, counting: &count)
    }

    private static func condition(
        of predicate: NSPredicate,
        in home: Home,
        depth: Int,
        counting count: inout Int
    ) throws(HMError) -> HomeModel.Condition<HomeIDs> {
        count += 1
        guard depth < HomeModel.Condition<HomeIDs>.maximumDepth, count <= HomeModel.Condition<HomeIDs>.maximumCount
        else {
            throw .invalid("The predicate is too large.")
        }
        if let predicate = predicate as? HMConditionPredicate { return try predicate.model(in: home) }
        guard let compound = predicate as? NSCompoundPredicate else {
            throw .invalid("Create predicates with HMEventTrigger's methods, or combine such predicates.")
        }
        var parts: [HomeModel.Condition<HomeIDs>] = []
        for part in compound.subpredicates {
            parts.append(try condition(of: part, in: home, depth: depth + 1, counting: &count))
        }
        guard let first = parts.first else { throw .invalid("A compound predicate needs at least one subpredicate.") }
        switch compound.compoundPredicateType {
        case .and: return parts.count == 1 ? first : .all(parts)
        case .or: return parts.count == 1 ? first : .any(parts)
        case .not: return .not(first)
        @unknown default: throw .invalid("Unknown type of compound predicate. Use and, or, or not.")
        }
    }

    private func model(in home: Home) throws(HMError) -> HomeModel.Condition<HomeIDs> {
        if let stored { return stored }
        switch condition {
        case .characteristic(let characteristic, let comparison, let value):
            return try Self.model(characteristic, comparison, value, in: home)
        case .time(let start, let end):
            return .time(from: try Self.bound(start), to: try Self.bound(end))
        case .significantEvents(let start, let end):
            return .time(from: try Self.bound(start), to: try Self.bound(end))
        case .presence(let event): return try event.condition(in: home)
        case .other: throw .invalid("This condition cannot be created with HomeKit.")
        }
    }

    private static func model(
        _ characteristic: HMCharacteristic,
        _ comparison: NSComparisonPredicate.Operator,
        _ value: Any,
        in home: Home
    ) throws(HMError) -> HomeModel.Condition<HomeIDs> {
        let (selector, base) = try characteristic.selector(in: home)
        let value = try base.metadata.value(fromFoundation: value)
        let isEqual = HomeModel.Condition<HomeIDs>.characteristic(selector, .equals(value))
        func compared(
            _ test: (JSONNumber) -> CharacteristicTest<CharacteristicValue>
        ) throws(HMError) -> HomeModel.Condition<HomeIDs> {
            guard let number = value.number else { throw HMError(.invalidValueType, "Only numbers can be compared.") }
            return .characteristic(selector, test(number))
        }
        switch comparison {
        case .equalTo: return isEqual
        case .notEqualTo: return .not(isEqual)
        case .lessThan: return try compared { .below($0) }
        case .greaterThan: return try compared { .above($0) }
        case .lessThanOrEqualTo: return .not(try compared { .above($0) })
        case .greaterThanOrEqualTo: return .not(try compared { .below($0) })
        default: throw .unsupported("This operator is not supported. Use ==, !=, <, <=, > or >=.")
        }
    }

    private static let midnight = TimeBound.clock(CivilTime(secondOfDay: 0))

    private static func bound(_ components: DateComponents?) throws(HMError) -> TimeBound {
        guard let components else { return midnight }
        return .clock(try CivilTime(onlyTimeOf: components))
    }

    private static func bound(_ event: HMSignificantTimeEvent?) throws(HMError) -> TimeBound {
        guard let event else { return midnight }
        let (sun, offset) = try event.bound()
        return .sun(sun, offset: offset)
    }

    // MARK: From a home

    /// Returns the predicate of a stored condition.
    static func predicate(for condition: HomeModel.Condition<HomeIDs>, _ modelReference: ModelReference<Automation>)
        -> NSPredicate
    {
        switch condition {
        case .all(let parts):
            NSCompoundPredicate(andPredicateWithSubpredicates: parts.map { predicate(for: $0, modelReference) })
        case .any(let parts):
            NSCompoundPredicate(orPredicateWithSubpredicates: parts.map { predicate(for: $0, modelReference) })
        case .not(.characteristic(let selector, let test)):
            characteristic(selector, test, isNegated: true, condition, modelReference)
        case .not(let part): NSCompoundPredicate(notPredicateWithSubpredicate: predicate(for: part, modelReference))
        case .characteristic(let selector, let test):
            characteristic(selector, test, isNegated: false, condition, modelReference)
        case .time(let start, let end): HMConditionPredicate(time(from: start, to: end), stored: condition)
        case .presence(let state): HMConditionPredicate(presence(state, modelReference), stored: condition)
        case .days(let days):
            HMConditionPredicate(.other("\(days.days.map(\.rawValue).joined(separator: ", "))"), stored: condition)
        }
    }

    private static func characteristic(
        _ selector: CharacteristicSelector,
        _ test: CharacteristicTest<CharacteristicValue>,
        isNegated: Bool,
        _ stored: HomeModel.Condition<HomeIDs>,
        _ modelReference: ModelReference<Automation>
    ) -> NSPredicate {
        guard let object = modelReference.context.characteristic(selector, of: modelReference.home) else {
            return HMConditionPredicate(.other("a characteristic that was removed"), stored: stored)
        }
        let condition: Condition =
            switch test {
            case .equals(let value):
                .characteristic(object, isNegated ? .notEqualTo : .equalTo, toValue: value.foundation)
            case .above(let limit):
                .characteristic(object, isNegated ? .lessThanOrEqualTo : .greaterThan, toValue: limit.foundation)
            case .below(let limit):
                .characteristic(object, isNegated ? .greaterThanOrEqualTo : .lessThan, toValue: limit.foundation)
            case .within(let range):
                .other("\(isNegated ? "not " : "")\(range.phrase { "\($0)" })")
            case .changes: .other("a change")
            }
        return HMConditionPredicate(condition, stored: stored)
    }

    private static func time(from start: TimeBound, to end: TimeBound) -> Condition {
        func components(_ bound: TimeBound) -> DateComponents? {
            if bound == midnight { return nil }
            return if case .clock(let time) = bound { time.components } else { nil }
        }
        func event(_ bound: TimeBound) -> HMSignificantTimeEvent? {
            guard case .sun(let event, let offset) = bound else { return nil }
            return HMSignificantTimeEvent(significantEvent: HMSignificantEvent(event), offset: offset.offsetComponents)
        }
        switch (start, end) {
        case (.clock, .clock): return .time(after: components(start), before: components(end))
        case (.sun, .sun): return .significantEvents(after: event(start), before: event(end))
        case (.sun, midnight): return .significantEvents(after: event(start), before: nil)
        case (midnight, .sun): return .significantEvents(after: nil, before: event(end))
        default: return .other("a time between the clock and the sun")
        }
    }

    private static func presence(
        _ state: PresenceState<ObjectID<HomeUser>>,
        _ modelReference: ModelReference<Automation>
    ) -> Condition {
        switch state {
        case .anyone: .presence(HMPresenceEvent(presenceEventType: .atHome, presenceUserType: .homeUsers))
        case .noOne: .presence(HMPresenceEvent(presenceEventType: .notAtHome, presenceUserType: .homeUsers))
        case .everyone: .other("everyone is at home")
        case .user(let user):
            .presence(
                HMPresenceEvent(
                    presenceEventType: .atHome,
                    presenceUserType: modelReference.snapshot?.index.user(user)?.role == .owner
                        ? .currentUser : .customUsers
                )
            )
        }
    }
}

extension HMEventTrigger {
    // MARK: Predicates

    /// Returns a predicate that holds before a time of day, from midnight on.
    public class func predicateForEvaluatingTrigger(occurringBefore dateComponents: DateComponents) -> NSPredicate {
        HMConditionPredicate(.time(after: nil, before: dateComponents))
    }

    /// Returns a predicate that holds after a time of day, until midnight.
    public class func predicateForEvaluatingTrigger(occurringAfter dateComponents: DateComponents) -> NSPredicate {
        HMConditionPredicate(.time(after: dateComponents, before: nil))
    }

    /// Returns a predicate that holds for the minute of a time of day.
    public class func predicateForEvaluatingTrigger(occurringOn dateComponents: DateComponents) -> NSPredicate {
        var end = dateComponents
        let (hour, minute) = (dateComponents.hour ?? 0, dateComponents.minute ?? 0)
        // Other numbers are refused when the predicate is used.
        if 0..<24 ~= hour, 0..<60 ~= minute {
            (end.hour, end.minute) = (minute == 59 ? (hour + 1) % 24 : hour, (minute + 1) % 60)
        }
        return HMConditionPredicate(.time(after: dateComponents, before: end))
    }

    /// Returns a predicate that holds between two times of day, also past midnight.
    public class func predicateForEvaluatingTriggerOccurringBetweenDate(
        with firstDateComponents: DateComponents,
        secondDateWith secondDateComponents: DateComponents
    ) -> NSPredicate {
        HMConditionPredicate(.time(after: firstDateComponents, before: secondDateComponents))
    }

    /// Returns a predicate that holds before sunrise or sunset, from midnight on.
    public class func predicateForEvaluatingTriggerOccurring(
        beforeSignificantEvent significantEvent: HMSignificantTimeEvent
    ) -> NSPredicate {
        HMConditionPredicate(.significantEvents(after: nil, before: significantEvent))
    }

    /// Returns a predicate that holds after sunrise or sunset, until midnight.
    public class func predicateForEvaluatingTriggerOccurring(
        afterSignificantEvent significantEvent: HMSignificantTimeEvent
    ) -> NSPredicate {
        HMConditionPredicate(.significantEvents(after: significantEvent, before: nil))
    }

    /// Returns a predicate that holds between two significant events, also past midnight.
    public class func predicate(
        forEvaluatingTriggerOccurringBetweenSignificantEvent firstSignificantEvent: HMSignificantTimeEvent,
        secondSignificantEvent: HMSignificantTimeEvent
    ) -> NSPredicate {
        HMConditionPredicate(.significantEvents(after: firstSignificantEvent, before: secondSignificantEvent))
    }

    /// Returns a predicate that compares a characteristic with a value.
    ///
    /// - Parameters:
    ///   - characteristic: The characteristic, which can be read or reports its values.
    ///   - operatorType: One of the six comparisons of values; others are refused with `operationNotSupported`.
    ///   - value: The value.
    public class func predicateForEvaluatingTrigger(
        _ characteristic: HMCharacteristic,
        relatedBy operatorType: NSComparisonPredicate.Operator,
        toValue value: Any
    ) -> NSPredicate {
        HMConditionPredicate(.characteristic(characteristic, operatorType, toValue: value))
    }

    /// Returns a predicate that holds while people are at home, or not.
    public class func predicateForEvaluatingTrigger(withPresence presenceEvent: HMPresenceEvent) -> NSPredicate {
        HMConditionPredicate(.presence(presenceEvent))
    }
}
