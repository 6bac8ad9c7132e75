import AccessoryModel
import ArgumentParser
import HAPController
import HAPCore
import HomeModel
import HomeRunning

/// `hap home scene state`: whether a scene is on.
struct HomeSceneState: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "state",
        abstract: "Say whether a scene is on: whether all of its values hold.",
        discussion: """
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
            let places = scene.actions.map(\.characteristic)
            let values = try await options.controller.withController { controller in
                await NetworkWorld(controller).read(places.compactMap { home.reference(of: $0) })
            }
            let isOn = scene.isOn(in: home) { selector in home.reference(of: selector).flatMap { values[$0] } }
            if options.json {
                var writer = JSONWriter()
                writer.beginObject()
                writer.member("scene", scene.name.text)
                writer.key("on")
                writer.value(isOn)
                writer.endObject()
                try Output.write(writer)
            } else {
                try Output.write("\(scene.name) is \(isOn ? "on" : "off").\n")
            }
        }
    }
}
