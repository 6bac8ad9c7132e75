internal import AccessoryModel
package import Documents
internal import HAPCore

// How conditions and ends of automations are written in home files.

extension Format<Condition<HomeNames>> {
    package static let condition =
        conditions.format { condition in
            condition.isWithinLimits
                ? nil
                : "a condition has at most \(Condition<HomeNames>.maximumCount) parts, "
                    + "\(Condition<HomeNames>.maximumDepth) inside of each other; make two automations of it"
        }
        .defined(as: "condition")

    private static var nested: Format { .recursive("condition") { nestedOnce } }
    /// Made once: a file may have very many conditions.
    private static let nestedOnce: Format<Condition<HomeNames>> = conditions.format()

    /// What a condition may be; an object that is several is all of them.
    static let conditions: Choice<Condition<HomeNames>> = Choice(
        [
            .init(
                leading: ["characteristic", "is", "above", "below", "within"],
                .required(
                    "characteristic",
                    .property,
                    "The property whose value is tested: Service/Property.",
                    missing:
                        "a characteristic is held to one thing; write \"characteristic: Service/Property\" and one of "
                        + "is, above, below, within"
                ),
                .choice(.test(equals: "is", allowsChanges: false)),
                make: { .characteristic($0, $1) },
                take: { if case .characteristic(let property, let test) = $0 { (property, test) } else { nil } }
            ),
            .init(
                leading: ["after", "before"],
                .optional("after", HomeScalar.bound, "A time, or a time of the sun: it is this time, or later."),
                .optional("before", HomeScalar.bound, "A time, or a time of the sun: it is earlier."),
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
        mismatchMessage: "the condition says nothing; write one, or leave \"if\" away",
        combine: { .all($0) }
    )
}

extension TimeBound {
    /// The other end of a window of which only this one is written: midnight; of the sun, when it rises or sets next.
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
        "an end sets something or restores what was before; write \"set\" or \"restore: true\""

    package static let end = ObjectFormat<EndEvent<HomeNames>>(
        .optional("when", .endTest, "What it waits for after the run."),
        .optional("after", HomeScalar.duration, "How long it waits after the run, or after that."),
        .optional("set", .actions, "What it sets then."),
        .optional("restore", .boolean, "Whether it restores what was before the run: true.", default: false),
        check: { keys in
            let moment =
                keys.isDisjoint(with: ["after", "when"])
                ? ["nobody knows when it ends; write \"after\", \"when\" or both"] : []
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
    /// A property and what its value is compared with.
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
