internal import AccessoryModel
internal import Documents
internal import HAPCore

// The formats of scenes and automations in home files: a table of fields for each object, and a table of cases for each
// choice.

extension ObjectFormat<Action<HomeNames>> {
    static let action = ObjectFormat(
        .required("set", .property, "The property to set: Service/Property, such as Garage Light/On."),
        .required("to", .value, "The value."),
        incomplete: "an action sets something to a value; write \"set: Service/Property\" and \"to: VALUE\"",
        make: { Action(characteristic: $0, value: $1) },
        take: { ($0.characteristic, $0.value) }
    )
}

extension Format<[Action<HomeNames>]> {
    static let actions =
        Format.list(of: ObjectFormat<Action<HomeNames>>.action.format(isInline: true).defined(as: "action"))
        .defined(as: "actions")
}

extension Format<SceneContent<HomeNames>> {
    static let scene = ObjectFormat(
        SceneContent<HomeNames>(),
        [
            .defaulted("kind", \.kind, .sceneKind, "The purpose of the scene."),
            .defaulted("actions", \.actions, .actions, "The actions of the scene."),
        ]
    )
    .format()
    .orShorthand(
        .actions,
        when: { $0.mapping == nil },
        make: { SceneContent(actions: $0) },
        take: { $0.kind.isBuiltIn ? nil : $0.actions }
    )
}

extension Format<SceneKind> {
    static let sceneKind = Format.word(SceneKind.allCases.map { ($0.rawValue, $0) })
}

// MARK: Automations

extension Format<AutomationRule<HomeNames>> {
    static let automation = ObjectFormat(
        AutomationRule<HomeNames>(triggers: [], targets: AutomationTargets()),
        [
            .required(
                "when",
                \.triggers,
                .triggers,
                "The trigger, or a list of triggers; any of them starts the automation.",
                missing: "the automation has no trigger; add one under \"when\""
            ),
            .optional("if", \.condition, .condition, "The condition that must hold for it to run."),
            .defaulted("run", \.targets, .targets, "The scenes that it runs and the values that it sets."),
            .optional("end", \.end, .end, "When and how its effects end."),
            .defaulted(
                "once",
                \.executesOnce,
                .boolean,
                "Whether it disables itself after it has run. Default: false."
            ),
            .defaulted("enabled", \.isEnabled, .boolean, "Whether it is enabled. Default: true."),
        ]
    )
    .format()
}

extension Format<AutomationTargets<HomeNames>> {
    /// A list of scenes and actions; a single scene may be written without a list.
    static let targets: Format = {
        let scene = ObjectFormat<Located<String>>(
            .required("scene", .reference, "The scene that it runs."),
            make: { $0 },
            take: { $0 }
        )
        let target = Choice<Target>(
            [
                .init(scene, make: { .scene($0) }, take: { if case .scene(let name) = $0 { name } else { nil } }),
                .init(
                    leading: ["set", "to"],
                    .action,
                    make: { .action($0) },
                    take: { if case .action(let action) = $0 { action } else { nil } }
                ),
            ],
            mismatchMessage: "an entry runs a scene or sets a value; write one of",
            ambiguityError: { keys in
                ObjectError(
                    at: keys.last ?? "set",
                    "this entry runs a scene; set values in a separate entry"
                )
            }
        )
        .format()
        .orShorthand(
            .reference,
            make: { .scene($0) },
            take: { if case .scene(let name) = $0 { name } else { nil } }
        )
        return Format<[Target]>.list(of: target)
            .map({ AutomationTargets($0) }, { $0.scenes.map(Target.scene) + $0.ownActions.map(Target.action) })
            .orShorthand(.reference, make: { AutomationTargets(scenes: [$0]) }, take: { _ in nil })
    }()

    /// A scene or an action that an automation runs.
    fileprivate enum Target: Sendable {
        case scene(Located<String>)
        case action(Action<HomeNames>)
    }
}

extension AutomationTargets<HomeNames> {
    fileprivate init(_ targets: [Format<AutomationTargets<HomeNames>>.Target]) {
        self.init()
        for target in targets {
            switch target {
            case .scene(let name): scenes.append(name)
            case .action(let action): ownActions.append(action)
            }
        }
    }
}

extension Format<[Trigger<HomeNames>]> {
    /// A trigger, or a list of triggers.
    static let triggers = Format.list(of: .trigger, maximumCount: AutomationRule<HomeNames>.maximumTriggers)
        .orShorthand(.trigger, when: { $0.elements == nil }, make: { [$0] }, take: { $0.count == 1 ? $0[0] : nil })
}

extension Format<Trigger<HomeNames>> {
    static let trigger = Choice<Trigger<HomeNames>>(
        [
            .init(
                .required("characteristic", .property, "The property whose value it waits for: Service/Property."),
                .choice(.test(equals: "becomes", allowsChanges: true)),
                make: { .characteristic($0, $1) },
                take: { if case .characteristic(let property, let test) = $0 { (property, test) } else { nil } }
            ),
            .init(
                .required("time", HomeScalar.time, "A time of day, by default every day: 07:30."),
                .choice(.recurrence(else: .daily)),
                make: { .timeOfDay($0, $1) },
                take: { if case .timeOfDay(let time, let recurrence) = $0 { (time, recurrence) } else { nil } }
            ),
            .init(
                .required("date", HomeScalar.date, "A date and a time, by default once: 2026-12-24 18:00."),
                .choice(.recurrence(else: .once)),
                make: { .calendar($0, $1) },
                take: { if case .calendar(let date, let recurrence) = $0 { (date, recurrence) } else { nil } }
            ),
            .init(
                .required(
                    "sun",
                    HomeScalar.sun,
                    "A sunrise or sunset, by default every day: sunset, or sunrise - 30min."
                ),
                .choice(.recurrence(else: .daily)),
                make: { .sun($0.0, offset: $0.1, $1) },
                take: {
                    if case .sun(let event, let offset, let recurrence) = $0 {
                        ((event, offset), recurrence)
                    } else {
                        nil
                    }
                }
            ),
            .init(
                .required("presence", .word(PresenceEvent.keywords), "Who arrives or leaves."),
                make: { .presence($0) },
                take: { trigger in PresenceEvent.keywords.lazy.map(\.1).first { trigger == .presence($0) } }
            ),
            .init(
                .required("arrives", .reference, "A user who arrives."),
                make: { .presence(.arrives($0)) },
                take: { if case .presence(.arrives(let user)) = $0 { user } else { nil } }
            ),
            .init(
                .required("leaves", .reference, "A user who leaves."),
                make: { .presence(.leaves($0)) },
                take: { if case .presence(.leaves(let user)) = $0 { user } else { nil } }
            ),
            .init(
                .required("interval", HomeScalar.duration, "The time between two runs."),
                .optional(
                    "from",
                    HomeScalar.date,
                    "The first run. Default: one interval after the automation was created."
                ),
                make: { .interval($0, from: $1) },
                take: { if case .interval(let interval, let start) = $0 { (interval, start) } else { nil } }
            ),
        ],
        mismatchMessage: "a trigger needs exactly one of these keys; write one of"
    )
    .format()
    .defined(as: "trigger")
}

extension Choice<CharacteristicTest<Located<String>>> {
    /// Returns the choice of tests for the value of a property.
    ///
    /// - Parameters:
    ///   - key: The key for the value that the property must equal.
    ///   - allowsChanges: Whether the test for any change is allowed.
    static func test(equals key: String, allowsChanges: Bool) -> Choice {
        var cases: [Case] = [
            Case(
                .required(key, .value, "The value."),
                make: { .equals($0) },
                take: { if case .equals(let value) = $0 { value } else { nil } }
            ),
            Case(
                .required("above", HomeScalar.limit, "The number that it is above."),
                make: { .above($0) },
                take: { if case .above(let limit) = $0 { limit } else { nil } }
            ),
            Case(
                .required("below", HomeScalar.limit, "The number that it is below."),
                make: { .below($0) },
                take: { if case .below(let limit) = $0 { limit } else { nil } }
            ),
            Case(
                .required(
                    "within",
                    HomeScalar.range,
                    "The range in which it is, limits included: 18...24, 18... or ...24."
                ),
                make: { .within($0) },
                take: { if case .within(let range) = $0 { range } else { nil } }
            ),
        ]
        if allowsChanges {
            cases.insert(
                Case(
                    .required("changes", .boolean, "Whether any change of the value counts: true."),
                    make: { changes throws(ObjectError) in
                        guard changes else { throw ObjectError("\"changes\" can only be true; write true") }
                        return .changes
                    },
                    take: { if case .changes = $0 { true } else { nil } }
                ),
                at: 1
            )
        }
        return Choice(
            cases,
            mismatchMessage:
                "a characteristic needs exactly one test; write \"characteristic: Service/Property\" and one of"
        )
    }
}
