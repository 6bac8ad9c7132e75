package import AccessoryModel
internal import HAPCore

/// How actions refer to objects and values: as they were written, or as they were found.
package protocol SimulationReferences: Sendable {
    /// A reference to a server, an accessory, a service or a characteristic.
    associatedtype Object: Sendable, Hashable
    /// A value of a characteristic.
    associatedtype Value: Sendable, Hashable
}

/// The references in a text: names, and values in words.
package enum WrittenReferences: SimulationReferences {
    package typealias Object = SimulationTarget
    package typealias Value = String
}

/// The references of a simulation: ids, and values that are valid.
package enum ResolvedReferences: SimulationReferences {
    package typealias Object = SimulationObject
    package typealias Value = CharacteristicValue
}

/// An action as a user writes it at the prompt or in a scenario.
package typealias WrittenAction = SimulationAction<WrittenReferences>
/// An action that can be performed.
package typealias ResolvedAction = SimulationAction<ResolvedReferences>

/// An action of a user or a scenario on a simulation.
package enum SimulationAction<References: SimulationReferences>: Sendable, Hashable {
    /// Sets a characteristic.
    ///
    /// If controllers can write the characteristic, the value is written as by a controller. Otherwise, the device
    /// detects it.
    case set(References.Object, to: References.Value)
    /// Performs a command on a service, such as the press of its button.
    case command(BehaviorCommand, on: References.Object)
    /// Asks the driver of an accessory to do something.
    case act(DriverAction, on: References.Object)
    /// Injects a fault.
    case fault(FaultRequest<References>)
    /// Ends the faults with a name, the faults on an object, or all faults.
    case clear(fault: String?, on: References.Object?)
    /// Advances simulated time at once.
    case advance(Duration)
    /// Pauses simulated time.
    case pause
    /// Resumes simulated time.
    case resume
    /// Changes the speed of simulated time, in simulated seconds per real second.
    case scale(Double)
    /// Logs a message.
    case log(String)
    /// Marks a user of the running home as having come home.
    case arrive(String)
    /// Marks a user of the running home as having left.
    case leave(String)

    /// Whether the action changes a device or its faults; if so, earlier events no longer count for expectations.
    package var changesState: Bool {
        switch self {
        case .set, .command, .act, .fault, .advance, .arrive, .leave: true
        case .clear, .pause, .resume, .scale, .log: false
        }
    }
}

/// A request to inject a fault.
package struct FaultRequest<References: SimulationReferences>: Sendable, Hashable {
    /// The name of the fault in the catalog.
    package var name: String
    /// The arguments that differ from the defaults, by parameter name.
    package var arguments: [String: SimulationArgument]
    /// The object that the fault affects; `nil` for every server.
    package var target: References.Object?
    /// The number of times that the fault acts; `nil` for no limit.
    package var count: Int?
    /// The duration on the simulation's clock; `nil` until the fault is cleared.
    package var duration: Duration?

    /// Creates a request; by default the fault affects every server until it is cleared.
    package init(
        _ name: String,
        arguments: [String: SimulationArgument] = [:],
        on target: References.Object? = nil,
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

/// A text that names a server, an accessory, a service or a characteristic.
///
/// * `Garage Door/Target Door State` or `GarageDoor.TargetDoorState`: a characteristic of a service,
/// * `Target Door State`: of the only service that has one,
/// * `Kilgo Garage/Garage Door`: a service of an accessory, by its name or its type,
/// * `Kilgo Garage`: an accessory, or a server,
/// * `1.9`: the characteristic with this `aid.iid`; `1`: the accessory,
/// * `Kilgo Garage 2/1.9`: of this server, if there are several.
///
/// Case, spaces, `-`, `_` and `.` in names do not matter. ``SimulationNames`` resolves the name.
package struct SimulationTarget: Sendable, Hashable {
    /// The text as it was written.
    package var text: String

    /// Creates a target from any text.
    package init(_ text: String) {
        self.text = text
    }
}

extension SimulationTarget: CustomStringConvertible {
    /// The text as it was written.
    package var description: String { text }
}

extension BehaviorCommand {
    /// The words of the command in messages.
    ///
    /// `pastTense` is what was done, before the name of the service: `Pressed`, `Obstruction cleared:`. `verb` is for
    /// messages such as "Garage Door cannot be stopped".
    package var words: (pastTense: String, verb: String) {
        switch self {
        case .stop: ("Stopped", "be stopped")
        case .obstruct: ("Obstructed", "be obstructed")
        case .clearObstruction: ("Obstruction cleared:", "be cleared of an obstruction")
        case .plug: ("Plugged in", "be plugged in")
        case .unplug: ("Unplugged", "be unplugged")
        case .press(.single): ("Pressed", "be pressed")
        case .press(.double): ("Double-pressed", "be double-pressed")
        case .press(.long): ("Long-pressed", "be long-pressed")
        case .applySensorInput: ("Detected:", "detect this value")
        }
    }
}

/// An error of an action on a simulation, with a remedy.
package struct SimulationError: ExplainedError {
    /// The kinds of errors.
    package enum Code: Sendable, Hashable {
        /// A name or an id is unknown.
        case unknownName
        /// A name is ambiguous.
        case ambiguousName
        /// A value is not valid for its characteristic, or an argument not valid for its parameter.
        case invalidValue
        /// The device or the server does not support the action.
        case refused
        /// A time is not possible.
        case invalidTime
        /// The action was cancelled before it was complete.
        case cancelled
    }

    /// The kind of error.
    package var code: Code
    /// The problem, as a sentence with a full stop.
    package var reason: String
    /// The remedy, as a sentence with a full stop.
    package var remedy: String

    /// Creates an error.
    package init(_ code: Code, _ reason: String, _ remedy: String) {
        self.code = code
        self.reason = reason
        self.remedy = remedy
    }

    /// The error of an arrival or a departure without a running home.
    package static let noHome = SimulationError(
        .refused,
        "No home is running here, so no user can arrive or leave.",
        "Name its file, with \"home\" in the scenario or with --home."
    )

    /// The error of an action on an object that was removed after its name was resolved.
    package static let gone = SimulationError(
        .unknownName,
        "This is no longer served.",
        "Name something else."
    )

    /// The error of an action that was cancelled before it was complete.
    package static let cancelled = SimulationError(.cancelled, "The action was cancelled.", "Start it again.")
}
