import ArgumentParser
import HomeModel

/// `hap home assign`: in which room a service is.
struct HomeAssign: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assign",
        abstract: "Put a service into a room, which may be another than its accessory's.",
        discussion: """
            EXAMPLE
              hap home assign "Garage Light" Hall
            """
    )

    @Argument(help: ArgumentHelp("The service.", valueName: "service"), completion: HomeCompletion.names(.service))
    var service: String

    @Argument(help: ArgumentHelp("The room.", valueName: "room"), completion: HomeCompletion.names(.room))
    var room: String

    @OptionGroup var options: HomeOptions

    func run() async throws {
        try await options.edit { [service, room] home throws(HomeError) in
            try home.moveService(home.service(named: service).id, to: home.room(named: room).id)
        }
        try options.report("\(service) is now in \(room).")
    }
}
