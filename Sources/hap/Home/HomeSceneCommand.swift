import AccessoryModel
import ArgumentParser
import HAPController
import HAPCore
import HomeModel
import HomeRuntime

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
            guard !scene.actions.isEmpty else { throw CommandFailure.failed("\(scene.name) sets nothing.") }
            try await HomeActions(options: options).run(scene.actions, in: home)
        }
    }
}

/// `hap home scene state`: whether a scene is on.
struct HomeSceneState: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "state",
        abstract: "Say whether a scene is on: whether all of its values hold.",
        discussion: """
            Ends with 69 when that is not known, because a service cannot be read and none of the others says that it is off.

            EXAMPLE
              hap home scene state "Movie Time"
            """
    )

    @Argument(help: ArgumentHelp("The scene.", valueName: "name"), completion: HomeCompletion.names(.scene))
    var name: String

    @OptionGroup var options: HomeOptions

    func run() async throws {
        try await options.withHome { home, _ in
            let scene = try home.scene(named: name)
            let state = try await options.controller.withController { controller in
                await NetworkBackend(controller).state(of: scene, in: home)
            }
            let unread = serviceNames(of: state.unreadSelectors, in: home)
            let text = state.isOn.map { "\(scene.name) is \($0 ? "on" : "off").\n" } ?? ""
            try options.controller.write(text) { writer in
                writer.member("scene", scene.name.text)
                writer.member("on", state.isOn)
                writer.member("unread", ifPresent: state.isOn == nil ? unread : nil)
            }
            guard state.isOn != nil else {
                throw CommandFailure.unavailable(
                    "Whether \(scene.name) is on is not known: \(unread.joined(separator: ", ")) cannot be read."
                        .escapingControlCharacters
                )
            }
        }
    }

    /// The services that characteristics are of, each once.
    private func serviceNames(of places: [CharacteristicSelector], in home: Home) -> [String] {
        places.compactMap { home.service($0.service)?.name.text }
            .reduce(into: []) { names, name in
                if !names.contains(name) { names.append(name) }
            }
    }
}
