import Foundation
import Glibc
import HomeKit
import KilgoApp

/// The app in a terminal, or driven by a script.
@main
struct Kilgo {
    @MainActor
    static func main() async {
        do {
            try await run(CommandLine.arguments.dropFirst())
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("kilgo: \(TerminalText.message(error))\n".utf8))
            exit(1)
        }
    }

    @MainActor
    private static func run(_ arguments: ArraySlice<String>) async throws {
        var arguments = arguments
        var simulates = false
        while let argument = arguments.popFirst() {
            switch argument {
            case "--help", "-h":
                print(TerminalText.help)
                return
            case "--simulate": simulates = true
            case "--state":
                guard let folder = arguments.popFirst() else { throw UsageError(TerminalText.noFolder) }
                HomeKitSettings.stateFolder = folder
            default: throw UsageError(TerminalText.unknownOption(argument))
            }
        }
        let sheet = SetupSheet()
        HomeKitSettings.setupAnswer = { await sheet.answer($0) }
        let simulation = simulates ? try await SimulatedGarage(sheet) : nil
        let store = if let simulation { HomeStore(manager: simulation.manager) } else { HomeStore() }
        if isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, let terminal = Terminal() {
            await KeyboardSession(store, sheet, simulation, terminal).run()
        } else {
            try await Script(store, sheet, simulation).run()
        }
    }
}

/// An error in the use of the program, as it is printed.
struct UsageError: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

/// Asks for the setup code when an accessory is added, as the system does on iOS.
@MainActor
final class SetupSheet {
    /// Answers a question, or returns `nil` to cancel.
    var onQuestion: @MainActor (HomeKitSetupQuestion) async -> HomeKitSetupAnswer? = { _ in nil }

    func answer(_ question: HomeKitSetupQuestion) async -> HomeKitSetupAnswer? { await onQuestion(question) }
}
