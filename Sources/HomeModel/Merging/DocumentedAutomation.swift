package import HAPCore

/// What a file says of an automation.
package struct DocumentedAutomation: Sendable, Hashable {
    /// What it is called.
    package var name: Placed<ObjectName>
    /// Whether it runs at all.
    package var isEnabled: Bool
    /// What it waits for.
    package var trigger: DocumentedTrigger
    /// What must be so then.
    package var condition: DocumentedCondition?
    /// The names of the scenes that it runs.
    package var scenes: [Placed<String>]
    /// What it sets itself.
    package var actions: [DocumentedAction]
    /// When that ends.
    package var end: DocumentedEnd?

    package init(
        name: Placed<ObjectName>,
        isEnabled: Bool = true,
        trigger: DocumentedTrigger,
        condition: DocumentedCondition? = nil,
        scenes: [Placed<String>] = [],
        actions: [DocumentedAction] = [],
        end: DocumentedEnd? = nil
    ) {
        self.name = name
        self.isEnabled = isEnabled
        self.trigger = trigger
        self.condition = condition
        self.scenes = scenes
        self.actions = actions
        self.end = end
    }
}

/// A characteristic with what it is held to.
package struct DocumentedTest: Sendable, Hashable {
    /// What it is held to.
    package enum Test: Sendable, Hashable {
        case equals(Placed<DocumentedValue>)
        case changes
        case above(JSONNumber)
        case below(JSONNumber)
        case within(ClosedRange<JSONNumber>)
    }

    /// Which one: `Service/Characteristic`.
    package var characteristic: Placed<String>
    /// What it is held to.
    package var test: Test

    package init(characteristic: Placed<String>, test: Test) {
        self.characteristic = characteristic
        self.test = test
    }
}

/// What an automation of a file waits for.
package enum DocumentedTrigger: Sendable, Hashable {
    case characteristic(DocumentedTest)
    case timeOfDay(CivilTime, Recurrence)
    case calendar(CivilDateTime, Recurrence)
    case sun(SunEvent, offset: Duration, Recurrence)
    case firstArrives
    case lastLeaves
    case everyoneArrives
    case arrives(Placed<String>)
    case leaves(Placed<String>)
    case interval(Duration, from: CivilDateTime?)
}

/// What must be so for an automation of a file.
package indirect enum DocumentedCondition: Sendable, Hashable {
    case all([DocumentedCondition])
    case any([DocumentedCondition])
    case not(DocumentedCondition)
    case characteristic(DocumentedTest)
    case time(from: TimeBound, to: TimeBound)
    case days(WeekdaySet)
    case anyone
    case noOne
    case everyone
    case home(Placed<String>)
}

/// When what an automation of a file has begun ends.
package struct DocumentedEnd: Sendable, Hashable {
    /// After so much time, or so long after the test has become true.
    package var delay: Duration?
    /// When a test becomes true.
    package var test: DocumentedTest?
    /// What is set then; `nil` restores what was before.
    package var actions: [DocumentedAction]?

    package init(delay: Duration?, test: DocumentedTest?, actions: [DocumentedAction]?) {
        self.delay = delay
        self.test = test
        self.actions = actions
    }
}
