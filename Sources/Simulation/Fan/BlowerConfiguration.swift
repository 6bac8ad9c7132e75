/// How the blower of a fan or an air purifier is built.
package struct BlowerConfiguration: Sendable, Hashable {
    /// What the blades take from one speed to another; 3 s by default, 0 or less makes them jump.
    package var spinUp: Duration
    /// How long it blows at a time in automatic; 10 min by default, at least 1 s.
    package var run: Duration
    /// How long it rests between in automatic; 20 min by default, at least 1 s.
    package var rest: Duration

    /// Creates a configuration; without arguments, a blower that runs a third of the time in automatic.
    package init(
        spinUp: Duration = .seconds(3),
        run: Duration = .seconds(600),
        rest: Duration = .seconds(1_200)
    ) {
        self.spinUp = spinUp
        self.run = run
        self.rest = rest
    }
}

extension BlowerConfiguration {
    /// What files may set.
    static let parameters: [ModelParameter<Self>] = [
        .duration("spinUp", \.spinUp, "What the blades take from one speed to another."),
        .duration("run", \.run, within: .seconds(1) ... .seconds(86_400), "How long it blows at a time in automatic."),
        .duration("rest", \.rest, within: .seconds(1) ... .seconds(86_400), "How long it rests between in automatic."),
    ]
}
