/// The keys of a scenario.
enum ScenarioKey: String, CaseIterable {
    case schema = "$schema"
    case scenario, summary, serve, home, start, seed, steps
}

/// The keys of a step.
enum StepKey: String, CaseIterable {
    case name, at, after, when, set, to, press, how, stop, obstruct, fault, with, on, count, lasting, clear, advance
    case pause, resume, scale, arrive, leave, log, `repeat`, steps, expect

    /// Those of which at most one says what the step does.
    static let deeds: [StepKey] = [
        .set, .press, .stop, .obstruct, .fault, .clear, .advance, .pause, .resume, .scale, .arrive, .leave, .log,
        .repeat, .expect,
    ]

    /// Those that go with one that says what the step does.
    static let companions: [StepKey: [StepKey]] = [
        .set: [.to], .press: [.how], .fault: [.with, .on, .count, .lasting], .clear: [.on], .repeat: [.steps],
    ]
}

/// The keys of what is expected, and of what is waited for.
enum ExpectationKey: String, CaseIterable {
    case characteristic, becomes, above, below, controller, of, event, within

    /// Those of which exactly one says what is to happen.
    static let kinds: [ExpectationKey] = [.characteristic, .controller, .event]
    /// Those that hold a value to something.
    static let tests: [ExpectationKey] = [.becomes, .above, .below]
}
