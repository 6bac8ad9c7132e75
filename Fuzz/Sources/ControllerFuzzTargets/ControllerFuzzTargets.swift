public import FuzzHarness

/// The targets of the program ControllerFuzzer.
public let controllerFuzzTargets: [any FuzzTarget.Type] = [
    DatabaseTarget.self, SessionTarget.self,
]
