internal import Documents

// How what is waited for is written in scenarios: a table of cases for each choice. See `docs/scenarios.md`.

extension Format<ScenarioExpectation> {
    /// Something that is waited for.
    ///
    /// - Parameter limit: How long it may take when no time is named.
    static func expectation(within limit: Duration) -> Format {
        ObjectFormat<ScenarioExpectation>(
            .choice(.event),
            .optional("within", .compoundDuration, "How long it may take.", default: limit),
            make: { ScenarioExpectation($0, within: $1) },
            take: { ($0.event, $0.limit) }
        )
        .format(isInline: true)
        .storingLocation(at: \.location)
        .defined(as: "expectation")
    }
}

extension Choice<ScenarioExpectation.Event> {
    fileprivate static let event = Choice(
        [
            .init(
                .required("characteristic", .target, "The characteristic that has such a value, or gets it."),
                .choice(.test),
                make: { .value($0, $1) },
                take: { if case .value(let target, let test) = $0 { (target, test) } else { nil } }
            ),
            .init(
                .required("controller", .controllerAction, "What a controller does."),
                .optional("of", .target, "With what it does it; without it, with anything."),
                make: { .controller($0, $1) },
                take: { if case .controller(let action, let target) = $0 { (action, target) } else { nil } }
            ),
            .init(
                .required("event", .target, "The characteristic of which an event message is sent."),
                .choice(.optionalTest),
                make: { .notification($0, $1) },
                take: { if case .notification(let target, let test) = $0 { (target, test) } else { nil } }
            ),
        ],
        mismatchMessage: "one thing is waited for; write one of"
    )
}

extension Choice<ValueTest> {
    fileprivate static let test = Choice(
        [
            .init(
                .required("becomes", .value, "The value that it is, or becomes."),
                make: { .equals($0) },
                take: { if case .equals(let value) = $0 { value } else { nil } }
            ),
            .init(
                .required("above", .limit, "The number that it is above."),
                make: { .above($0) },
                take: { if case .above(let limit) = $0 { limit } else { nil } }
            ),
            .init(
                .required("below", .limit, "The number that it is below."),
                make: { .below($0) },
                take: { if case .below(let limit) = $0 { limit } else { nil } }
            ),
        ],
        mismatchMessage: "a value is held to one thing; write one of"
    )
}

extension Choice<ValueTest?> {
    fileprivate static let optionalTest = Choice(optional: .test)
}
