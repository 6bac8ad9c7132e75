import AccessoryModel
import ArgumentParser
import HAPController
import HAPCore
import HomeModel
import HomeRuntime
import Hosting
import Resources

/// The command `hap home scene`, which runs scenes and shows their states.
struct HomeSceneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scene",
        abstract: "Run a scene, or show whether it is on.",
        discussion: """
            To define a scene, use 'hap home add scene', 'change' or 'edit'. 'hap home show', 'rename' and \
            'remove' also work for scenes.

            EXAMPLE
              hap home scene run "Movie Time"
              hap home scene state "Movie Time"
            """,
        subcommands: [HomeSceneRun.self, HomeSceneState.self]
    )
}

/// The command `hap home scene run`, which runs a scene.
struct HomeSceneRun: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a scene, on all servers at the same time.",
        discussion: """
            A failure of one accessory does not affect the others. Exits with 2 if an accessory refuses a value, and \
            with 69 if one cannot be reached.

            EXAMPLE
              hap home scene run "Movie Time"
            """
    )

    @Argument(help: .value("name", "The scene."), completion: HomeCompletion.names(.scene))
    var name: String

    @OptionGroup var options: HomeOptions

    func run() async throws {
        try await options.withHome { home, homes in
            let scene = try home.scene(named: name)
            guard !scene.actions.isEmpty else { throw CommandFailure.failed("\(scene.name) sets nothing.") }
            try await homes.withBackend { backend in
                try options.report(.done(await backend.run(scene.actions, in: home), unchanged: []), in: home)
            }
        }
    }
}

/// The command `hap home scene state`, which shows whether a scene is on.
struct HomeSceneState: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "state",
        abstract: "Show whether a scene is on, which means that all of its values apply.",
        discussion: """
            Exits with 69 if this is unknown, because a service cannot be read and no other value shows that it is off.

            EXAMPLE
              hap home scene state "Movie Time"
            """
    )

    @Argument(help: .value("name", "The scene."), completion: HomeCompletion.names(.scene))
    var name: String

    @OptionGroup var options: HomeOptions

    func run() async throws {
        try await options.withHome { home, homes in
            let scene = try home.scene(named: name)
            let state = try await homes.withBackend { backend in await backend.state(of: scene, in: home) }
            let index = HomeIndex(home)
            let unread = SceneStateResource.services(of: state, in: index)
            try options.controller.write(
                state.isOn.map { "\(scene.name) is \($0 ? "on" : "off").\n" } ?? "",
                SceneStateResource(state, of: scene, in: index),
                SceneStateResource.format
            )
            guard state.isOn != nil else {
                throw CommandFailure.unavailable(
                    "It is not known whether \(scene.name) is on: \(unread.joined(separator: ", ")) cannot be read."
                        .escapingControlCharacters
                )
            }
        }
    }
}
