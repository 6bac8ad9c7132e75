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
