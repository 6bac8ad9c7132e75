/// What happens in a home by itself.
public struct Automation: Sendable, Hashable {
    /// What tells it from everything else in the home.
    public let id: ObjectID<Automation>
    /// What people call it; unique among the automations.
    public var name: ObjectName
    /// Whether it runs at all.
    public var isEnabled: Bool
    /// What it waits for.
    public var trigger: Trigger
    /// What must be so then; `nil` is nothing.
    public var condition: Condition?
    /// What it does.
    public var targets: AutomationTargets
    /// When that ends by itself; `nil` is never.
    public var end: EndEvent?

    /// Creates an automation.
    public init(
        id: ObjectID<Automation>,
        name: ObjectName,
        isEnabled: Bool = true,
        trigger: Trigger,
        condition: Condition? = nil,
        targets: AutomationTargets,
        end: EndEvent? = nil
    ) {
        self.id = id
        self.name = name
        self.isEnabled = isEnabled
        self.trigger = trigger
        self.condition = condition
        self.targets = targets
        self.end = end
    }
}
