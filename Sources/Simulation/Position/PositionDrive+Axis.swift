internal import AccessoryModel
internal import HAPCore

extension PositionDrive {
    /// Something that is driven between two ends: a position or the tilt of slats.
    struct Axis: Sendable {
        /// The characteristics that it follows and moves.
        let target: CharacteristicType
        let current: CharacteristicType
        /// From end to end.
        let range: ClosedRange<Double>

        static let position = Axis(target: .targetPosition, current: .currentPosition, range: 0...100)
        static let horizontalTilt = Axis(
            target: .targetHorizontalTiltAngle,
            current: .currentHorizontalTiltAngle,
            range: -90...90
        )
        static let verticalTilt = Axis(
            target: .targetVerticalTiltAngle,
            current: .currentVerticalTiltAngle,
            range: -90...90
        )

        /// A whole number of its unit within its range; not a number becomes the nearest to 0.
        func place(_ value: Double) -> Double {
            let value = value.isNaN ? 0 : value.rounded()
            return min(max(value, range.lowerBound), range.upperBound)
        }
    }

    /// Where an axis is: at a whole number of its unit, or on its way to one.
    enum Motion: Sendable, Hashable {
        case resting(Double)
        case moving(SteppedTravel)

        func place(at now: MonotonicInstant) -> Double {
            switch self {
            case .resting(let place): place
            case .moving(let travel): travel.value(at: now)
            }
        }

        /// When there is something to tell.
        var event: MonotonicInstant? {
            switch self {
            case .resting: nil
            case .moving(let travel): travel.next
            }
        }

        /// Where it is to be.
        var goal: Double {
            switch self {
            case .resting(let place): place
            case .moving(let travel): travel.destination
            }
        }

        /// The latest place that was told.
        var shown: Double {
            switch self {
            case .resting(let place): place
            case .moving(let travel): travel.shown
            }
        }

        mutating func settle(at now: MonotonicInstant) {
            guard case .moving(var travel) = self else { return }
            self = travel.settle(at: now) ? .resting(travel.destination) : .moving(travel)
        }
    }
}
