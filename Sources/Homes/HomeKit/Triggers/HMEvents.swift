internal import AccessoryModel
internal import Documents
internal import HAPCore
internal import HomeModel
internal import Synchronization

/// The abstract base class of the events that fire a trigger.
open class HMEvent: NSObject, @unchecked Sendable {
    private let ownIdentifier = UUID()
    /// What a loaded event stands for; `nil` for one that an app has created.
    let loaded: Trigger<HomeIDs>?

    /// A UUID.
    open var uniqueIdentifier: UUID { ownIdentifier }

    /// Creates an event that never occurs, for a subclass in a test.
    @available(*, deprecated, message: "Create an event of a subclass.")
    public override init() {
        loaded = nil
        super.init()
    }

    init(loaded: Trigger<HomeIDs>?) {
        self.loaded = loaded
        super.init()
    }

    /// Returns whether a trigger of a home can have such an event: one of the sun needs the location of the home.
    open class func isSupported(for home: HMHome) -> Bool { true }

    /// Returns the model's `Trigger`: that from which the event was loaded, or one for its present content.
    func stored(in home: Home) throws(HMError) -> Trigger<HomeIDs> {
        if let loaded { return loaded }
        return try trigger(in: home)
    }

    /// Returns the model's `Trigger` for the content of this event.
    func trigger(in home: Home) throws(HMError) -> Trigger<HomeIDs> {
        throw .unsupported("This kind of event cannot start a trigger.")
    }

    /// Creates the event for a model `Trigger`, or returns `nil` if its characteristic was removed.
    static func event(for trigger: Trigger<HomeIDs>, _ reference: ModelReference<Automation>) -> HMEvent? {
        switch trigger {
        case .characteristic(let selector, let test):
            guard let characteristic = reference.context.characteristic(selector, of: reference.home) else {
                return nil
            }
            let range: HMNumberRange
            switch test {
            case .equals(let value):
                return HMCharacteristicEvent<any NSCopying>(characteristic, value.copying, loaded: trigger)
            case .changes: return HMCharacteristicEvent<any NSCopying>(characteristic, nil, loaded: trigger)
            case .above(let limit): range = HMNumberRange(minValue: limit.foundation)
            case .below(let limit): range = HMNumberRange(maxValue: limit.foundation)
            case .within(let limits): range = HMNumberRange(limits)
            }
            return HMCharacteristicThresholdRangeEvent(characteristic, range, loaded: trigger)
        case .timeOfDay(let time, .weekly(let days)) where days.days.count == 1:
            var components = time.components
            components.weekday = days.days.first?.foundation
            return HMCalendarEvent(components, loaded: trigger)
        case .timeOfDay(let time, _): return HMCalendarEvent(time.components, loaded: trigger)
        case .calendar(let date, _): return HMCalendarEvent(date.components, loaded: trigger)
        case .sun(let event, let offset, _):
            return HMSignificantTimeEvent(HMSignificantEvent(event), offset.offsetComponents, loaded: trigger)
        case .interval(let interval, _):
            return HMDurationEvent(TimeInterval(interval.components.seconds), loaded: trigger)
        case .presence(let event):
            let users = reference.snapshot?.home.users ?? []
            let (type, people) = HMPresenceEvent.types(of: event, users)
            return HMPresenceEvent(type, people, loaded: trigger)
        }
    }
}

extension HMCharacteristic {
    /// Returns the selector and the model of the characteristic.
    ///
    /// - Throws: The error for one that was removed, or is in another home.
    func selector(in home: Home) throws(HMError) -> (CharacteristicSelector, HomeCharacteristic) {
        guard let modelReference, let current = modelReference.current else { throw .removed }
        guard modelReference.home == home.id else { throw .otherHome }
        return (current.selector, current.base)
    }
}

/// An event that occurs when a characteristic changes to a value, or to any value if none is given.
open class HMCharacteristicEvent<TriggerValueType>: HMEvent, NSCopying, NSMutableCopying, @unchecked Sendable {
    private let lock = Mutex(())
    private var parts: (characteristic: HMCharacteristic, triggerValue: TriggerValueType?)

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - characteristic: The characteristic, which must report its values.
    ///   - triggerValue: The value; `nil` for any change.
    @_disfavoredOverload
    public init(characteristic: HMCharacteristic, triggerValue: TriggerValueType?) {
        parts = (characteristic, triggerValue)
        super.init(loaded: nil)
    }

    init(_ characteristic: HMCharacteristic, _ triggerValue: TriggerValueType?, loaded: Trigger<HomeIDs>?) {
        parts = (characteristic, triggerValue)
        super.init(loaded: loaded)
    }

    /// Returns an event that does not change.
    open func copy(with zone: NSZone? = nil) -> Any {
        HMCharacteristicEvent(characteristic, triggerValue, loaded: loaded)
    }

    /// Returns an ``HMMutableCharacteristicEvent``.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        HMMutableCharacteristicEvent(characteristic, triggerValue, loaded: nil)
    }

    var content: (characteristic: HMCharacteristic, triggerValue: TriggerValueType?) {
        get { lock.withLock { _ in parts } }
        set { lock.withLock { _ in parts = newValue } }
    }

    /// The characteristic.
    open var characteristic: HMCharacteristic { content.characteristic }
    /// The value; `nil` for any change.
    open var triggerValue: TriggerValueType? { content.triggerValue }

    override func trigger(in home: Home) throws(HMError) -> Trigger<HomeIDs> {
        let (selector, base) = try characteristic.selector(in: home)
        guard let triggerValue else { return .characteristic(selector, .changes) }
        return .characteristic(selector, .equals(try base.metadata.value(fromFoundation: triggerValue)))
    }
}

extension HMCharacteristicEvent {
    fileprivate convenience init(generic characteristic: HMCharacteristic, _ triggerValue: TriggerValueType?) {
        self.init(characteristic, triggerValue, loaded: nil)
    }
}

extension HMCharacteristicEvent where TriggerValueType == any NSCopying {
    /// Creates an event with the type that the events of a loaded trigger have.
    public convenience init(characteristic: HMCharacteristic, triggerValue: (any NSCopying)?) {
        self.init(generic: characteristic, triggerValue)
    }
}

/// A range of numbers that includes its bounds.
open class HMNumberRange: NSObject, @unchecked Sendable {
    private let limits: (minimum: NSNumber?, maximum: NSNumber?)

    /// The minimum; `nil` for none.
    open var minValue: NSNumber? { limits.minimum }
    /// The maximum; `nil` for none.
    open var maxValue: NSNumber? { limits.maximum }

    /// Creates a range.
    public init(minValue: NSNumber, maxValue: NSNumber) {
        limits = (minValue, maxValue)
        super.init()
    }

    /// Creates the range of all numbers from a minimum on.
    public init(minValue: NSNumber) {
        limits = (minValue, nil)
        super.init()
    }

    /// Creates the range of all numbers up to a maximum.
    public init(maxValue: NSNumber) {
        limits = (nil, maxValue)
        super.init()
    }

    init(_ range: NumberRange) {
        limits = (range.minimum?.foundation, range.maximum?.foundation)
        super.init()
    }

    /// The range as a home stores it; `nil` if it is empty or has a limit that is not a number.
    var stored: NumberRange? {
        let (minimum, maximum) = (minValue.map(JSONNumber.init), maxValue.map(JSONNumber.init))
        // A limit that is not a number must not count as none.
        if case .some(nil) = minimum { return nil }
        if case .some(nil) = maximum { return nil }
        return NumberRange(minimum: minimum ?? nil, maximum: maximum ?? nil)
    }
}

/// An event that occurs when the value of a characteristic enters a range.
open class HMCharacteristicThresholdRangeEvent: HMEvent, NSCopying, NSMutableCopying, @unchecked Sendable {
    let content: Mutex<(characteristic: HMCharacteristic, range: HMNumberRange)>

    /// Creates an event.
    public init(characteristic: HMCharacteristic, thresholdRange: HMNumberRange) {
        content = Mutex((characteristic, thresholdRange))
        super.init(loaded: nil)
    }

    init(_ characteristic: HMCharacteristic, _ range: HMNumberRange, loaded: Trigger<HomeIDs>?) {
        content = Mutex((characteristic, range))
        super.init(loaded: loaded)
    }

    /// Returns an event that does not change.
    open func copy(with zone: NSZone? = nil) -> Any {
        HMCharacteristicThresholdRangeEvent(characteristic, thresholdRange, loaded: loaded)
    }

    /// Returns an ``HMMutableCharacteristicThresholdRangeEvent``.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        HMMutableCharacteristicThresholdRangeEvent(characteristic, thresholdRange, loaded: nil)
    }

    /// The characteristic.
    open var characteristic: HMCharacteristic { content.withLock(\.characteristic) }
    /// The range.
    open var thresholdRange: HMNumberRange { content.withLock(\.range) }

    override func trigger(in home: Home) throws(HMError) -> Trigger<HomeIDs> {
        guard let range = thresholdRange.stored else { throw .invalid("The range is empty.") }
        return .characteristic(try characteristic.selector(in: home).0, .within(range))
    }
}

/// An event that occurs when users arrive or leave, as set by `hap home user`.
open class HMPresenceEvent: HMEvent, NSCopying, NSMutableCopying, @unchecked Sendable {
    let content: Mutex<(type: HMPresenceEventType, users: HMPresenceEventUserType)>

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - presenceEventType: Who arrives or leaves: any person, the first or the last one.
    ///   - presenceUserType: Whose presence counts; `customUsers` is refused with `operationNotSupported`.
    public init(presenceEventType: HMPresenceEventType, presenceUserType: HMPresenceEventUserType) {
        content = Mutex((presenceEventType, presenceUserType))
        super.init(loaded: nil)
    }

    init(_ type: HMPresenceEventType, _ users: HMPresenceEventUserType, loaded: Trigger<HomeIDs>?) {
        content = Mutex((type, users))
        super.init(loaded: loaded)
    }

    /// Returns an event that does not change.
    open func copy(with zone: NSZone? = nil) -> Any {
        HMPresenceEvent(presenceEventType, presenceUserType, loaded: loaded)
    }

    /// Returns an ``HMMutablePresenceEvent``.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        HMMutablePresenceEvent(presenceEventType, presenceUserType, loaded: nil)
    }

    /// Who arrives or leaves: any person, the first or the last one.
    open var presenceEventType: HMPresenceEventType { content.withLock(\.type) }
    /// Whose presence counts.
    open var presenceUserType: HMPresenceEventUserType { content.withLock(\.users) }

    override func trigger(in home: Home) throws(HMError) -> Trigger<HomeIDs> {
        switch (presenceUserType, presenceEventType) {
        case (.homeUsers, .everyEntry): return .presence(.anyoneArrives)
        case (.homeUsers, .everyExit): return .presence(.anyoneLeaves)
        case (.homeUsers, .firstEntry): return .presence(.firstArrives)
        case (.homeUsers, .lastExit): return .presence(.lastLeaves)
        case (.currentUser, .everyEntry), (.currentUser, .firstEntry):
            return .presence(.arrives(try Self.owner(of: home)))
        case (.currentUser, .everyExit), (.currentUser, .lastExit): return .presence(.leaves(try Self.owner(of: home)))
        case (.customUsers, _): throw .unsupported("customUsers is not supported. Use currentUser or homeUsers.")
        }
    }

    /// Returns what a stored event is; the current user is the owner.
    static func types(
        of event: PresenceEvent<ObjectID<HomeUser>>,
        _ users: [HomeUser]
    ) -> (HMPresenceEventType, HMPresenceEventUserType) {
        let owner = users.first { $0.role == .owner }?.id
        return switch event {
        case .firstArrives, .everyoneArrives: (.firstEntry, .homeUsers)
        case .lastLeaves: (.lastExit, .homeUsers)
        case .anyoneArrives: (.everyEntry, .homeUsers)
        case .anyoneLeaves: (.everyExit, .homeUsers)
        case .arrives(let user): (.everyEntry, user == owner ? .currentUser : .customUsers)
        case .leaves(let user): (.everyExit, user == owner ? .currentUser : .customUsers)
        }
    }

    /// Returns the condition for a predicate: who is at home.
    func condition(in home: Home) throws(HMError) -> Condition<HomeIDs> {
        switch (presenceUserType, presenceEventType) {
        case (_, .everyEntry), (_, .everyExit):
            throw .invalid("In a predicate, use the presence events atHome and notAtHome.")
        case (.homeUsers, .firstEntry): return .presence(.anyone)
        case (.homeUsers, .lastExit): return .presence(.noOne)
        case (.currentUser, .firstEntry): return .presence(.user(try Self.owner(of: home)))
        case (.currentUser, .lastExit): return .not(.presence(.user(try Self.owner(of: home))))
        case (.customUsers, _): throw .unsupported("customUsers is not supported. Use currentUser or homeUsers.")
        }
    }

    private static func owner(of home: Home) throws(HMError) -> ObjectID<HomeUser> {
        guard let owner = home.users.first(where: { $0.role == .owner }) else {
            throw HMError(.notFound, "The home has no users. Add one: hap home add user NAME owner.")
        }
        return owner.id
    }
}
