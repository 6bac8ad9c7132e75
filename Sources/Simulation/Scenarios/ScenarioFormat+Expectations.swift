internal import Documents

// The file format of expectations: a table of cases for each choice. See `docs/scenarios.md`.

extension Format<ScenarioExpectation> {
    /// Returns the format of an expectation.
    ///
    /// - Parameter limit: The time limit of an expectation that names none.
    static func expectation(within limit: Duration) -> Format {
        ObjectFormat<ScenarioExpectation>(
            .choice(.event),
            .optional("within", .compoundDuration, "The time limit.", default: limit),
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
