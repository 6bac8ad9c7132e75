/// A rule that a home follows by itself, with its id and its name.
///
/// The properties of the rule are also those of the automation.
@dynamicMemberLookup
public struct Automation: NamedObject, Sendable, Hashable {
    /// The id, unique in the home.
    public let id: ObjectID<Automation>
    /// The name, unique among the automations.
    public var name: ObjectName
    /// What it waits for and what it does.
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

/// What an automation waits for, and what it does then.
public struct AutomationRule<References: HomeReferences>: Sendable, Hashable {
    /// Whether it runs at all.
    public var isEnabled: Bool
    /// Whether it disables itself when it has run.
    public var executesOnce: Bool
    /// What it waits for, at least one: it runs when any of these fires.
    public var triggers: [Trigger<References>]
    /// What must hold then; `nil` is nothing.
    public var condition: Condition<References>?
    /// What it does.
    public var targets: AutomationTargets<References>
    /// When that ends by itself; `nil` is never.
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

    /// The most triggers of a rule.
    public static var maximumTriggers: Int { 32 }

    /// Returns the rule with other references.
    package func resolved<Resolver: HomeResolver>(by resolver: inout Resolver) -> AutomationRule<Resolver.To>?
    where Resolver.From == References {
        // All parts, whatever is wrong with the first: everything is noted at once.
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

/// What an automation does.
public struct AutomationTargets<References: HomeReferences>: Sendable, Hashable {
    /// Scenes that it runs.
    public var scenes: [References.Scene]
    /// Actions of its own, at most one for a characteristic; what they set, no scene sets.
    public var ownActions: [Action<References>]

    /// Creates targets.
    public init(scenes: [References.Scene] = [], ownActions: [Action<References>] = []) {
        self.scenes = scenes
        self.ownActions = ownActions
    }

    /// Returns the targets with other references.
    func resolved<Resolver: HomeResolver>(by resolver: inout Resolver) -> AutomationTargets<Resolver.To>?
    where Resolver.From == References {
        let scenes = resolver.resolveAll(scenes) { $1.scene($0) }
        let own = resolver.actions(ownActions)
        guard let scenes, let own else { return nil }
        return AutomationTargets<Resolver.To>(scenes: scenes, ownActions: own)
    }
}

extension AutomationTargets<HomeIDs> {
    /// Whether there are no actions in any.
    func isEmpty(in scenes: [ObjectID<HomeScene>: HomeScene]) -> Bool {
        ownActions.isEmpty && self.scenes.allSatisfy { scenes[$0]?.actions.isEmpty ?? true }
    }

    /// The actions of all, one for a characteristic: a later scene takes precedence over an earlier one, an own action over
    /// all.
    func flattened(in scenes: [ObjectID<HomeScene>: HomeScene]) -> [HomeAction] {
        var positions: [CharacteristicSelector: Int] = [:]
        var actions: [HomeAction] = []
        for action in self.scenes.flatMap({ scenes[$0]?.actions ?? [] }) + ownActions {
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

/// A characteristic and the value that it is to have.
public struct Action<References: HomeReferences>: Sendable, Hashable {
    /// The characteristic, which can be written.
    public var characteristic: References.Characteristic
    /// One of its values.
    public var value: References.Value

    /// Creates an action.
    public init(characteristic: References.Characteristic, value: References.Value) {
        self.characteristic = characteristic
        self.value = value
    }

    /// Returns the action with other references.
    func resolved<Resolver: HomeResolver>(by resolver: inout Resolver) -> Action<Resolver.To>?
    where Resolver.From == References {
        guard let resolved = resolver.characteristic(characteristic),
            let value = resolver.value(value, of: characteristic, as: resolved)
        else { return nil }
        return Action<Resolver.To>(characteristic: resolved, value: value)
    }
}

/// An action of a home.
public typealias HomeAction = Action<HomeIDs>

extension Automation: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, rule
    }
}

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

extension Action: Codable where References == HomeIDs {
    private enum CodingKeys: String, CodingKey {
        case characteristic, value
    }
}
