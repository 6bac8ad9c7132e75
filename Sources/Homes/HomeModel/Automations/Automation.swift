/// A rule that runs automatically in a home, with its id and its name.
///
/// The properties of the rule are also available as properties of the automation.
@dynamicMemberLookup
public struct Automation: Sendable, Hashable {
    /// The id, unique in the home.
    public let id: ObjectID<Automation>
    /// The name, unique among the automations.
    public var name: ObjectName
    /// The rule: its triggers, its condition and its effects.
    public var rule: AutomationRule<HomeIDs>

    /// Creates an automation.
    public init(id: ObjectID<Automation>, name: ObjectName, rule: AutomationRule<HomeIDs>) {
        self.id = id
        self.name = name
        self.rule = rule
    }

    /// A property of the rule.
    public subscript<Value>(dynamicMember path: WritableKeyPath<AutomationRule<HomeIDs>, Value>) -> Value {
        get { rule[keyPath: path] }
        set { rule[keyPath: path] = newValue }
    }
}

/// The triggers, the condition, the effects and the end of an automation.
public struct AutomationRule<References: HomeReferences>: Sendable, Hashable {
    /// Whether the automation is enabled; a disabled one never runs.
    public var isEnabled: Bool
    /// Whether the automation disables itself after it has run.
    public var executesOnce: Bool
    /// The triggers, at least one; the automation runs when any of them fires.
    public var triggers: [Trigger<References>]
    /// The condition that must hold when a trigger fires, or `nil` for none.
    public var condition: Condition<References>?
    /// The scenes and actions that the automation runs.
    public var targets: AutomationTargets<References>
    /// The end of the automation's effects, or `nil` if the effects last.
    public var end: EndEvent<References>?

    /// Creates a rule.
    public init(
        isEnabled: Bool = true,
        executesOnce: Bool = false,
        triggers: [Trigger<References>],
        condition: Condition<References>? = nil,
        targets: AutomationTargets<References>,
        end: EndEvent<References>? = nil
    ) {
        self.isEnabled = isEnabled
        self.executesOnce = executesOnce
        self.triggers = triggers
        self.condition = condition
        self.targets = targets
        self.end = end
    }

    /// The maximum number of triggers of a rule.
    public static var maximumTriggers: Int { 32 }

    /// Returns the rule with its references resolved to another kind, or `nil` if the resolver fails for any of them.
    package func resolved<Resolver: HomeResolver>(by resolver: inout Resolver) -> AutomationRule<Resolver.To>?
    where Resolver.From == References {
        // Resolves all parts even if the first one fails, so that the resolver reports all errors at once.
        let triggers = resolver.resolveAll(triggers) { $0.resolved(by: &$1) }
        let condition = resolvedIfPresent(condition) { $0.resolved(by: &resolver) }
        let targets = targets.resolved(by: &resolver)
        let end = resolvedIfPresent(end) { $0.resolved(by: &resolver) }
        guard let triggers, let condition, let targets, let end else { return nil }
        return AutomationRule<Resolver.To>(
            isEnabled: isEnabled,
            executesOnce: executesOnce,
            triggers: triggers,
            condition: condition,
            targets: targets,
            end: end
        )
    }
}

/// The scenes and actions that an automation runs.
public struct AutomationTargets<References: HomeReferences>: Sendable, Hashable {
    /// The scenes that the automation runs.
    public var scenes: [References.Scene]
    /// The automation's own actions, at most one for each characteristic; they take precedence over those of the
    /// scenes.
    public var ownActions: [Action<References>]

    /// Creates targets.
    public init(scenes: [References.Scene] = [], ownActions: [Action<References>] = []) {
        self.scenes = scenes
        self.ownActions = ownActions
    }

    /// Returns the targets with their references resolved to another kind, or `nil` if the resolver fails for any of
    /// them.
    func resolved<Resolver: HomeResolver>(by resolver: inout Resolver) -> AutomationTargets<Resolver.To>?
    where Resolver.From == References {
        let scenes = resolver.resolveAll(scenes) { $1.scene($0) }
        let own = resolver.actions(ownActions)
        guard let scenes, let own else { return nil }
        return AutomationTargets<Resolver.To>(scenes: scenes, ownActions: own)
    }
}

extension AutomationTargets<HomeIDs> {
    /// Returns whether there are no own actions and all scenes are empty or unknown.
    func isEmpty(in home: HomeIndex) -> Bool {
        ownActions.isEmpty && scenes.allSatisfy { home.scene($0)?.actions.isEmpty ?? true }
    }

    /// Returns the actions of all scenes and the own actions, one for each characteristic.
    ///
    /// A later scene takes precedence over an earlier one, and an own action over all scenes.
    func flattened(in home: HomeIndex) -> [HomeAction] {
        var positions: [CharacteristicSelector: Int] = [:]
        var actions: [HomeAction] = []
        for action in scenes.flatMap({ home.scene($0)?.actions ?? [] }) + ownActions {
            if let position = positions[action.characteristic] {
                actions[position] = action
            } else {
                positions[action.characteristic] = actions.count
                actions.append(action)
            }
        }
        return actions
    }
}

/// A characteristic and the value to write to it.
public struct Action<References: HomeReferences>: Sendable, Hashable {
    /// The characteristic, which must be writable.
    public var characteristic: References.Characteristic
    /// The value, which the characteristic must allow.
    public var value: References.Value

    /// Creates an action.
    public init(characteristic: References.Characteristic, value: References.Value) {
        self.characteristic = characteristic
        self.value = value
    }

    /// Returns the action with its references resolved to another kind, or `nil` if the resolver fails for any of them.
    func resolved<Resolver: HomeResolver>(by resolver: inout Resolver) -> Action<Resolver.To>?
    where Resolver.From == References {
        guard let resolved = resolver.characteristic(characteristic),
            let value = resolver.value(value, of: characteristic, as: resolved)
        else { return nil }
        return Action<Resolver.To>(characteristic: resolved, value: value)
    }
}

/// An action that refers to its characteristic by ids of the home.
public typealias HomeAction = Action<HomeIDs>

extension Automation: Codable {}

extension AutomationRule: Codable where References == HomeIDs {
    private enum CodingKeys: String, CodingKey {
        case triggers, condition, targets, end
        case isEnabled = "enabled"
        case executesOnce = "once"
    }
}

extension AutomationTargets: Codable where References == HomeIDs {
    private enum CodingKeys: String, CodingKey {
        case scenes
        case ownActions = "actions"
    }
}

extension Action: Codable where References == HomeIDs {}
