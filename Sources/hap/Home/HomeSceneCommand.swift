import ArgumentParser
import HomeModel

/// `hap home scene`: scenes.
struct HomeSceneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scene",
        abstract: "Run a scene, or look whether it is on.",
        discussion: """
            EXAMPLE
              hap home scene run "Movie Time"
              hap home scene state "Movie Time"
            """,
        subcommands: [HomeSceneRun.self, HomeSceneState.self]
    )
}

/// `hap home scene run`: does what a scene says.
struct HomeSceneRun: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a scene: one request to each server, all side by side.",
        discussion: """
            What one accessory does not do keeps nothing from the others. Ends with 2 when an accessory refuses something, \
            with 69 when one cannot be reached.

            EXAMPLE
              hap home scene run "Movie Time"
            """
    )

    @Argument(help: ArgumentHelp("The scene.", valueName: "name"), completion: HomeCompletion.names(.scene))
    var name: String

    @OptionGroup var options: HomeOptions

    func run() async throws {
        try await options.withHome { home, _ in
            let scene = try home.scene(named: name)
            guard !scene.actions.isEmpty else { throw CommandFailure(.failed, "\(scene.name) sets nothing.") }
            try await HomeActions(options: options).run(scene.actions, in: home)
        }
    }
}
