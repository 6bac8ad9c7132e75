import Foundation
import HAPController

/// Turns a garage's light on and off on request.
struct FlipRun {
    let state: String
    let alias: String

    func run() async throws {
        let controller = try await Controller.open(state: state)
        let accessory = try await controller.accessory(alias)
        let light = try await accessory.lightSwitch()
        var isOn = try await accessory.read([light]).first?.value == true
        while readLine() != nil {
            isOn.toggle()
            let began = monotonicNanoseconds()
            let results = try await accessory.write([CharacteristicWrite(light, .bool(isOn))])
            guard results.allSatisfy(\.isSuccess) else { throw CocoaError(.fileWriteUnknown) }
            print(began)
            fflush(nil)
        }
        await controller.close()
    }

    /// Returns the time of the clock that Python's `time.monotonic_ns` reads.
    private func monotonicNanoseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
