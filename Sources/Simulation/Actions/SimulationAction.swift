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
    case fault(FaultRequest)
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
    package var changesState: Bool {
        switch self {
        case .set, .press, .stop, .obstruct, .clearObstruction, .fault, .advance, .arrive, .leave: true
        case .clear, .pause, .resume, .scale, .log: false
        }
    }
}

/// A fault as somebody has asked for it: names that are looked up when it begins.
package struct FaultRequest: Sendable, Hashable {
    /// The name of its entry in the catalog of faults.
    package var name: String
    /// What of it is not as it is by default, by the parameters' names.
    package var arguments: [String: SimulationArgument]
    /// What it is in; `nil` for every server.
    package var target: SimulationTarget?
    /// How often it acts; `nil` for any number of times.
    package var count: Int?
    /// How long it lasts on the simulation's clock; `nil` for until it is cleared.
    package var duration: Duration?

    /// Creates a wish; without more, it is for every server until it is cleared.
    package init(
        _ name: String,
        arguments: [String: SimulationArgument] = [:],
        on target: SimulationTarget? = nil,
        count: Int? = nil,
        duration: Duration? = nil
    ) {
        self.name = name
        self.arguments = arguments
        self.target = target
        self.count = count
        self.duration = duration
    }
}

/// What somebody has written to name a server, an accessory, a service or a characteristic.
///
/// * `Garage Door/Target Door State` or `GarageDoor.TargetDoorState`: a characteristic of a service,
/// * `Target Door State`: of the only service that has one,
/// * `Kilgo Garage/Garage Door`: a service of an accessory, by its name or its type,
/// * `Kilgo Garage`: an accessory, or a server,
/// * `1.9`: the characteristic with this `aid.iid`; `1`: the accessory,
/// * `Kilgo Garage 2/1.9`: of this server, where there are several.
///
/// Case, blanks, `-`, `_` and `.` in names do not count. ``SimulationNames`` finds what is meant.
package struct SimulationTarget: Sendable, Hashable {
    /// The text as it was written.
    package var text: String

    /// Takes a text; any will do.
    package init(_ text: String) {
        self.text = text
    }
}

extension SimulationTarget: CustomStringConvertible {
    /// The text as it was written.
    package var description: String { text }
}

extension BehaviorCommand {
    /// What somebody cannot be asked to do who does not know it: "does not know how to be stopped".
    package var verb: String {
        switch self {
        case .stop: "be stopped"
        case .obstruct: "be obstructed"
        case .clearObstruction: "be freed"
        case .press(.single): "be pressed"
        case .press(.double): "be pressed twice"
        case .press(.long): "be pressed for a while"
        case .applySensorInput: "sense that"
        }
    }
}

/// Why something that was asked of a simulation is not done, and what would be right.
package struct SimulationError: Error, Sendable, Hashable {
    /// What kind of reason it is.
    package enum Code: Sendable, Hashable {
        /// A name or an id means nothing.
        case unknownName
        /// A name can mean several things.
        case ambiguousName
        /// A value is none of its characteristic's, or an argument none of its parameter's.
        case invalidValue
        /// The device or the server does not do it.
        case refused
        /// Time does not pass like that.
        case invalidTime
        /// It was ended before it was done.
        case cancelled
    }

    /// What kind of reason it is.
    package var code: Code
    /// What is wrong, in a sentence with its full stop.
    package var reason: String
    /// What would be right, in a sentence with its full stop.
    package var remedy: String

    /// Creates an error.
    package init(_ code: Code, _ reason: String, _ remedy: String) {
        self.code = code
        self.reason = reason
        self.remedy = remedy
    }

    /// Nobody comes or goes where there is no home.
    package static let noHome = SimulationError(
        .refused,
        "No home is run here in which somebody comes and goes.",
        "Name its file, with \"home\" in the scenario or with --home."
    )

    /// What takes time was ended before it was done.
    package static let cancelled = SimulationError(.cancelled, "It ended early.", "Begin it again.")
}

extension SimulationError: CustomStringConvertible {
    /// Both sentences.
    package var description: String {
        "\(reason) \(remedy)"
    }
}
