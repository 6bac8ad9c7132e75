import AccessoryModel
import HAPCore

@testable import Simulation

extension BehaviorOwner where Device == GarageDoor {
    /// Returns a closed, unsecured door with a lock.
    static func door(_ configuration: GarageDoor.Configuration = .init()) -> Self {
        var owner = Self(
            GarageDoor(configuration),
            keeping: [
                .currentDoorState: 1, .targetDoorState: 1, .obstructionDetected: false,
                .lockCurrentState: 0, .lockTargetState: 0,
            ]
        )
        _ = owner.start()
        return owner
    }

    /// Applies an input; returns the result in the notation of ``Swift/Array/notation``, or the code of the refusal.
    mutating func take(_ input: DoorInput) -> String {
        switch input {
        case .open: written(.targetDoorState, 0)
        case .close: written(.targetDoorState, 1)
        case .unsecure: written(.lockTargetState, 0)
        case .secure: written(.lockTargetState, 1)
        case .stop: perform(.stop)?.notation ?? "unknown"
        case .obstruct: perform(.obstruct)?.notation ?? "unknown"
        case .clear: perform(.clearObstruction)?.notation ?? "unknown"
        }
    }

    private mutating func written(_ type: CharacteristicType, _ value: CharacteristicValue) -> String {
        let response = write(type, value)
        if let refusal = response.refusals[type] {
            return String(refusal.rawValue)
        }
        return response.changes.notation
    }

    /// Applies several inputs, each after a pause.
    mutating func take(_ script: [(after: Duration, input: DoorInput)]) {
        for step in script {
            _ = advance(by: step.after)
            _ = take(step.input)
        }
    }

    var current: Int? { values[.currentDoorState]?.integer }
    var target: Int? { values[.targetDoorState]?.integer }
    var lock: Int? { values[.lockCurrentState]?.integer }
    var isObstructed: Bool? { values[.obstructionDetected]?.bool }
    var position: Double? { reading("position") }
    var bolt: Double? { reading("bolt") }
}

extension [BehaviorChange] {
    /// Changes in short: C current, T target, O obstruction, L lock current, K lock target, each with its value.
    var notation: String {
        map { change in
            let letter =
                switch change.type {
                case .currentDoorState: "C"
                case .targetDoorState: "T"
                case .obstructionDetected: "O"
                case .lockCurrentState: "L"
                case .lockTargetState: "K"
                default: change.type.uuid.shortened
                }
            let value = change.value.integer ?? (change.value.bool == true ? 1 : 0)
            return "\(letter)\(value)"
        }
        .joined(separator: " ")
    }
}
