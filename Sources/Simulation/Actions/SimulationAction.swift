package import AccessoryModel

/// What a person at the prompt or a scenario does to a simulation.
package enum SimulationAction: Sendable, Hashable {
    /// Give a characteristic a value, in people's words: as a controller writes it where one can, else as the device
    /// finds it.
    case set(SimulationTarget, to: String)
    /// Press a button of a service.
    case press(SimulationTarget, ButtonPress)
    /// Stop what a service moves.
    case stop(SimulationTarget)
    /// Put something in a service's way.
    case obstruct(SimulationTarget)
    /// Take it away again.
    case clearObstruction(SimulationTarget)
    /// Let something go wrong.
    case fault(FaultWish)
    /// End faults: those of a name, those in a target, or all.
    case clear(fault: String?, on: SimulationTarget?)
    /// Let simulated time pass at once.
    case advance(Duration)
    /// Let simulated time stand still.
    case pause
    /// Let it go on.
    case resume
    /// Let it pass at another speed: so many of its seconds in one of the world's.
    case scale(Double)
    /// Say something.
    case log(String)
    /// Let a user of the home that is run beside come home.
    case arrive(String)
    /// Let a user leave it.
    case leave(String)

    /// Whether it changes a device, or what goes wrong, and so begins something new for whoever waits.
    package var changesSomething: Bool {
        switch self {
        case .set, .press, .stop, .obstruct, .clearObstruction, .fault, .advance, .arrive, .leave: true
        case .clear, .pause, .resume, .scale, .log: false
        }
    }
}
