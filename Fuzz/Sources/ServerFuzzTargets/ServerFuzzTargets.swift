public import FuzzHarness

/// The targets of the program ServerFuzzer.
public let serverFuzzTargets: [any FuzzTarget.Type] = [
    ServerTarget.self
]
