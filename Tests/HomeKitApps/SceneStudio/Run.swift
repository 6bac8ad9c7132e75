import HomeKit

/// Does everything that the app can, and prints its report; the only file of the app that knows Linux.
@main
struct Run {
    static func main() async throws {
        HomeKitSettings.stateFolder = CommandLine.arguments[1]
        let app = HomeController()
        for line in try await app.runAll() { print(line) }
    }
}
