internal import Documents

// The file format of expectations: a table of cases for each choice. See `docs/scenarios.md`.

extension Format<ScenarioExpectation> {
    /// Returns the format of an event that must occur, or must not.
    ///
    /// - Parameter limit: The time of an expectation that names none.
    static func expectation(within limit: Duration, isForbidden: Bool = false) -> Format {
        ObjectFormat<ScenarioExpectation>(
            .choice(.event),
            .optional("within", .compoundDuration, "The time limit.", default: limit),
            make: { ScenarioExpectation($0, within: $1, isForbidden: isForbidden) },
            take: { ($0.event, $0.limit) }
        )
        .format(
            hint: {
                $0 == "for" ? "unknown key; write \"within\", or \"stays\" for a value that must not change" : nil
            },
            isInline: true
        )
        .orDriverEvent(within: limit, isForbidden: isForbidden)
        .storingLocation(at: \.location)
        .defined(as: "expectation")
    }

    /// The format of a value that must not change.
    static let stays = ObjectFormat<ScenarioExpectation>(
        .required("characteristic", .target, "The characteristic that keeps the value."),
        .required("value", .value, "The value that it has and keeps."),
        .optional(
            "for",
            .compoundDuration,
            "The time during which it keeps the value.",
            default: ScenarioExpectation.defaultLimit
        ),
        make: { ScenarioExpectation(.value($0, .differs(from: $1)), within: $2, isForbidden: true) },
        take: { $0.unchangedValue.map { ($0, $1, $2) } }
    )
    .format(isInline: true)
    .storingLocation(at: \.location)
}

extension ScenarioExpectation {
    /// The characteristic that must keep its value, the value, and the time; `nil` if something else is expected.
    var unchangedValue: (SimulationTarget, String, Duration)? {
        guard isForbidden, case .value(let target, .differs(let text)) = event else { return nil }
        return (target, text, limit)
    }
}

extension Choice<ScenarioExpectation.Event> {
    fileprivate static let event = Choice(
        [
            .init(
                .required("characteristic", .target, "The characteristic that has the value, or receives it."),
                .choice(.test),
                make: { .value($0, $1) },
                take: { if case .value(let target, let test) = $0 { (target, test) } else { nil } }
            ),
            .init(
                .required("controller", .controllerAction, "The action of a controller."),
                .optional("of", .target, "The target of the action. Default: any target."),
                make: { .controller($0, $1) },
                take: { if case .controller(let action, let target) = $0 { (action, target) } else { nil } }
            ),
            .init(
                .required("event", .target, "The characteristic that a controller is notified of."),
                .choice(.optionalTest),
                make: { .notification($0, $1) },
                take: { if case .notification(let target, let test) = $0 { (target, test) } else { nil } }
            ),
        ],
        mismatchMessage: "an expectation has one subject; write one of"
    )
}

extension Choice<ValueTest> {
    fileprivate static let test = Choice(
        [
            .init(
                .required("becomes", .value, "The value that the characteristic has or receives."),
                make: { .equals($0) },
                take: { if case .equals(let value) = $0 { value } else { nil } }
            ),
            .init(
                .required("above", .limit, "The number that the value must exceed."),
                make: { .above($0) },
                take: { if case .above(let limit) = $0 { limit } else { nil } }
            ),
            .init(
                .required("below", .limit, "The number that the value must be below."),
                make: { .below($0) },
                take: { if case .below(let limit) = $0 { limit } else { nil } }
            ),
        ],
        mismatchMessage: "a value has one test; write one of"
    )
}

extension Choice<ValueTest?> {
    fileprivate static let optionalTest = Choice(optional: .test)
}
