internal import Synchronization

/// A characteristic event that can be changed.
open class HMMutableCharacteristicEvent<TriggerValueType>: HMCharacteristicEvent<TriggerValueType>, @unchecked Sendable
{
    /// The characteristic.
    open override var characteristic: HMCharacteristic {
        get { content.characteristic }
        set { content.characteristic = newValue }
    }
    /// The value; `nil` for any change.
    open override var triggerValue: TriggerValueType? {
        get { content.triggerValue }
        set { content.triggerValue = newValue }
    }
}

/// A threshold range event that can be changed.
open class HMMutableCharacteristicThresholdRangeEvent: HMCharacteristicThresholdRangeEvent, @unchecked Sendable {
    /// The characteristic.
    open override var characteristic: HMCharacteristic {
        get { content.withLock(\.characteristic) }
        set { content.withLock { $0.characteristic = newValue } }
    }
    /// The range.
    open override var thresholdRange: HMNumberRange {
        get { content.withLock(\.range) }
        set { content.withLock { $0.range = newValue } }
    }
}

/// A presence event that can be changed.
open class HMMutablePresenceEvent: HMPresenceEvent, @unchecked Sendable {
    /// Who arrives or leaves: any person, the first or the last one.
    open override var presenceEventType: HMPresenceEventType {
        get { content.withLock(\.type) }
        set { content.withLock { $0.type = newValue } }
    }
    /// Whose presence counts.
    open override var presenceUserType: HMPresenceEventUserType {
        get { content.withLock(\.users) }
        set { content.withLock { $0.users = newValue } }
    }
}

/// A calendar event that can be changed.
open class HMMutableCalendarEvent: HMCalendarEvent, @unchecked Sendable {
    /// The time of day, and the weekday or the date, if there is one.
    open override var fireDateComponents: DateComponents {
        get { content.withLock(\.self) }
        set { content.withLock { $0 = newValue } }
    }
}

/// A significant time event that can be changed.
open class HMMutableSignificantTimeEvent: HMSignificantTimeEvent, @unchecked Sendable {
    /// Sunrise or sunset.
    open override var significantEvent: HMSignificantEvent {
        get { content.withLock(\.event) }
        set { content.withLock { $0.event = newValue } }
    }
    /// Hours and minutes; negative ones mean before.
    open override var offset: DateComponents? {
        get { content.withLock(\.offset) }
        set { content.withLock { $0.offset = newValue } }
    }
}

/// A duration event that can be changed.
open class HMMutableDurationEvent: HMDurationEvent, @unchecked Sendable {
    /// The time in seconds.
    open override var duration: TimeInterval {
        get { content.withLock(\.self) }
        set { content.withLock { $0 = newValue } }
    }
}
