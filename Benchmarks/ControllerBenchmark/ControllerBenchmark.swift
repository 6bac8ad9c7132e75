import Foundation
import HAPController

/// The program that `Benchmarks/controller.py` runs to measure the controller.
///
///     ControllerBenchmark pair STATE READY
///     ControllerBenchmark sessions STATE COUNT
///     ControllerBenchmark flip STATE ALIAS
///
/// `pair` pairs with every server of a ready file, with the aliases `1`, `2` and so on. `sessions` concurrently opens a
/// session with each of them and reads a value, and then keeps COUNT sessions open. It prints a JSON object with the
/// durations and the memory. `flip` turns the light on or off for each line of standard input, and prints the start
/// time in nanoseconds of the monotonic clock.
@main struct ControllerBenchmark {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.count) {
        case ("pair", 3): try await PairingRun(state: arguments[1], ready: arguments[2]).run()
        case ("sessions", 3): try await SessionsRun(state: arguments[1], sessions: Int(arguments[2]) ?? 0).run()
        case ("flip", 3): try await FlipRun(state: arguments[1], alias: arguments[2]).run()
        default:
            FileHandle.standardError.write(Data("ControllerBenchmark: see its source.\n".utf8))
            exit(64)
        }
    }
}
