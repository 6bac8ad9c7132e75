internal import AccessoryModel
internal import AsyncPrimitives
package import Simulation
internal import Synchronization

/// The actions that a driver has passed to its simulated device, and that wait for an answer.
package final class PendingActions: Sendable {
    private struct State {
        var lastNumber: UInt64 = 0
        var waiting: [UInt64: OneShot<Result<String, SimulationError>>] = [:]
    }

    private let port: DriverPort
    private let state = Mutex(State())

    package init(_ port: DriverPort) {
        self.port = port
    }

    /// Passes an action to the device, and returns what was done.
    ///
    /// - Throws: ``SimulationError`` if the device refuses, or the driver ends meanwhile.
    package func perform(_ action: DriverAction) async throws(SimulationError) -> String {
        let answer = OneShot<Result<String, SimulationError>>()
        let number = state.withLock { state in
            state.lastNumber += 1
            state.waiting[state.lastNumber] = answer
            return state.lastNumber
        }
        defer { _ = state.withLock { $0.waiting.removeValue(forKey: number) } }
        await port.deliver(.message(DeviceActionRequest(number: number, action), from: .driver))
        guard let result = await answer.waitUnlessCancelled() else { throw .unsupportedAction(action.name) }
        return try result.get()
    }

    /// Handles the answer of the device.
    package func finish(_ answer: DeviceActionResult) {
        state.withLock { $0.waiting[answer.number] }?.set(answer.result)
    }

    /// Refuses what waits, because the driver ends.
    package func end() {
        let ended = SimulationError(.refused, "The receiver has ended.", "Try again when it runs.")
        for answer in state.withLock({ Array($0.waiting.values) }) { answer.set(.failure(ended)) }
    }
}
