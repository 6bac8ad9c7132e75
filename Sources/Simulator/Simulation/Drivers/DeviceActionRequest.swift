internal import AccessoryModel
internal import Documents
internal import HAPCore

/// An action that a driver passes to its simulated device, with the number by which it is answered.
package struct DeviceActionRequest: Sendable {
    package let number: UInt64
    package let action: DriverAction

    package init(number: UInt64, _ action: DriverAction) {
        (self.number, self.action) = (number, action)
    }
}

/// What an action did, or why it was refused.
package struct DeviceActionResult: Sendable {
    package let number: UInt64
    package let result: Result<String, SimulationError>
}

extension DriverAction {
    /// Returns an argument that is a number of seconds, such as `90`, or a duration, such as `1min 30s`.
    func seconds(_ name: String) throws(SimulationError) -> Double {
        let text = arguments[name] ?? ""
        let seconds = JSONNumber(parsing: text)?.double ?? DurationText.readSum(text).map { $0 / .seconds(1) }
        guard let seconds, (0...1e9).contains(seconds) else {
            throw SimulationError(.refused, "\(name) is not a time.", "Give \(name)=90 or \(name)=1min 30s.")
        }
        return seconds
    }

    /// Returns an argument that is a number in a range.
    func number(_ name: String, in range: ClosedRange<Double>) throws(SimulationError) -> Double {
        guard let number = arguments[name].flatMap({ JSONNumber(parsing: $0) })?.double, range.contains(number) else {
            throw SimulationError(
                .refused,
                "\(name) is not a number from \(range.lowerBound) to \(range.upperBound).",
                "Give \(name)=1."
            )
        }
        return number
    }
}
