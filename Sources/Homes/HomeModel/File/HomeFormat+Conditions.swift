internal import AccessoryModel
package import Documents
internal import HAPCore

// The formats of conditions and ends of automations in home files.

extension Format<Condition<HomeNames>> {
    package static let condition =
        conditions.format { condition in
            condition.isWithinLimits
                ? nil
                : "a condition has at most \(Condition<HomeNames>.maximumCount) parts, "
                    + "nested at most \(Condition<HomeNames>.maximumDepth) deep; split it into two automations"
        }
        .defined(as: "condition")

    private static var nested: Format { .recursive("condition") { nestedOnce } }
    /// Created only once, because a file may have very many conditions.
    private static let nestedOnce: Format<Condition<HomeNames>> = conditions.format()

    /// The kinds of conditions; an object with the keys of several kinds combines them with "all".
    static let conditions: Choice<Condition<HomeNames>> = Choice(
        [
            .init(
                leading: ["characteristic", "is", "above", "below", "within"],
                .required(
                    "characteristic",
                    .property,
                    "The property whose value is tested: Service/Property.",
                    missing:
                        "a characteristic needs exactly one test; write \"characteristic: Service/Property\" and one "
                        + "of is, above, below, within"
                ),
                .choice(.test(equals: "is", allowsChanges: false)),
                make: { .characteristic($0, $1) },
                take: { if case .characteristic(let property, let test) = $0 { (property, test) } else { nil } }
            ),
            .init(
                leading: ["after", "before"],
                .optional("after", HomeScalar.bound, "A time of day, sunrise or sunset: it is this time or later."),
                .optional("before", HomeScalar.bound, "A time of day, sunrise or sunset: it is earlier than this."),
                make: {
                    .time(
                        from: $0 ?? $1?.impliedCounterpart ?? .clock(.midnight),
                        to: $1 ?? $0?.impliedCounterpart ?? .clock(.midnight)
                    )
                },
                take: { if case .time(let start, let end) = $0 { (start, end) } else { nil } }
            ),
            .init(
                .required("days", .days, "It is one of these days."),
                make: { .days($0) },
                take: { if case .days(let days) = $0 { days } else { nil } }
            ),
            .init(
                .required("presence", .word(PresenceState.keywords), "Who is home."),
                make: { .presence($0) },
                take: { condition in PresenceState.keywords.lazy.map(\.1).first { condition == .presence($0) } }
            ),
            .init(
                .required("home", .reference, "A user who is home."),
                make: { .presence(.user($0)) },
                take: { if case .presence(.user(let user)) = $0 { user } else { nil } }
            ),
            .init(
                .required("all", .list(of: nested), "All of these hold."),
                make: { .all($0) },
                take: { if case .all(let parts) = $0 { parts } else { nil } }
            ),
            .init(
                .required("any", .list(of: nested), "One of these holds."),
                make: { .any($0) },
                take: { if case .any(let parts) = $0 { parts } else { nil } }
            ),
            .init(
                .required("not", nested, "This does not hold."),
                make: { .not($0) },
                take: { if case .not(let part) = $0 { part } else { nil } }
            ),
        ],
        mismatchMessage: "the condition is empty; write one, or omit \"if\"",
        combine: { .all($0) }
    )
}

extension TimeBound {
    /// The other bound of a window with only one bound: midnight for a time of day, sunrise for sunset, and sunset for
    /// sunrise.
    fileprivate var impliedCounterpart: TimeBound {
        switch self {
        case .clock: .clock(.midnight)
        case .sun(.sunset, _): .sun(.sunrise, offset: .zero)
        case .sun(.sunrise, _): .sun(.sunset, offset: .zero)
        }
    }
}

extension Format<EndEvent<HomeNames>> {
    private static let endErrorText =
        "an end must set values or restore the previous ones; write \"set\" or \"restore: true\""

    package static let end = ObjectFormat<EndEvent<HomeNames>>(
        .optional("when", .endTest, "The test that it waits for after the run."),
        .optional("after", HomeScalar.duration, "The delay after the run, or after the test has become true."),
        .optional("set", .actions, "The values that it sets at the end."),
        .optional("restore", .boolean, "Whether it restores the values from before the run: true.", default: false),
        check: { keys in
            let moment =
                keys.isDisjoint(with: ["after", "when"])
                ? ["the end has no time; write \"after\", \"when\" or both"] : []
            return moment + (keys.contains("set") == keys.contains("restore") ? [endErrorText] : [])
        },
        make: { test, delay, actions, restores throws(ObjectError) in
            guard let moment = EndEvent<HomeNames>.Timing(test: test, delay: delay), restores == (actions == nil) else {
                throw ObjectError(endErrorText)
            }
            return EndEvent(moment, actions.map { .actions($0) } ?? .restore)
        },
        take: { end in
            let actions: [Action<HomeNames>]? = if case .actions(let actions) = end.effect { actions } else { nil }
            let (test, delay) = end.timing.components
            return (test, delay, actions, actions == nil)
        }
    )
    .format()
    .defined(as: "end")
}

extension Format where Value == (Located<String>, CharacteristicTest<Located<String>>) {
    /// A property and a test of its value.
    static var endTest: Format {
        ObjectFormat<Value>(
            .required("characteristic", .property, "The property whose value it waits for: Service/Property."),
            .choice(.test(equals: "becomes", allowsChanges: true)),
            make: { ($0, $1) },
            take: { $0 }
        )
        .format(isInline: true)
        .defined(as: "test")
    }
}
