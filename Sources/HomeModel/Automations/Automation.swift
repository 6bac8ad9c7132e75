/// What happens in a home by itself.
public struct Automation: Sendable, Hashable {
    /// What tells it from everything else in the home.
    public let id: ObjectID<Automation>
    /// What people call it; unique among the automations.
    public var name: ObjectName
    /// Whether it runs at all.
    public var isEnabled: Bool

    /// Creates an automation.
    public init(id: ObjectID<Automation>, name: ObjectName, isEnabled: Bool = true) {
        self.id = id
        self.name = name
        self.isEnabled = isEnabled
    }

    /// The rules that it breaks in a home, by itself and by what it names; its name and id are seen to elsewhere.
    public func violations(in home: Home) -> [HomeError] {
        []
    }

    /// Takes out what is gone from the home, and says what is left of the automation.
    mutating func forget(_ gone: RemovedObjects) -> AutomationLoss {
        .nothing
    }
}
