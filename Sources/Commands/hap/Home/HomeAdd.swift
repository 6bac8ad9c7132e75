import AccessoryFiles
import ArgumentParser
import HomeModel

/// The command `hap home add`, which adds an object to a home, or a home.
struct HomeAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a home, a room, a zone, a group, a scene, an automation or a user.",
        discussion: """
            The content is what a home file has under the name, in YAML or JSON; docs/homes.md describes it. For a zone \
            or a group, the names of its rooms or services are enough. The first user becomes the owner, and other \
            users without a role become members. 'hap home add-accessory' adds accessories.

            EXAMPLE
              hap home add home "Kilgo House" '{ place: { latitude: 50.11, longitude: 8.68 }, timeZone: Europe/Berlin }'
              hap home add room Kitchen
              hap home add zone "Living Area" "Living Room" Hall
              hap home add group "Evening Lights" "Mood Light" "Window Light"
              hap home add scene Reading '[{ set: Mood Light/Brightness, to: 40 }]'
              hap home add scene "Coming Home" '{ kind: homeArrival, actions: [{ set: Garage Light/On, to: on }] }'
              hap home add automation Bedtime '{ when: { time: 22:30 }, run: [Good Night] }'
              hap home add automation "Garage Night Light" '{
                  when: { characteristic: Garage Door/CurrentDoorState, becomes: Opening }, if: { after: sunset },
                  run: [{ set: Garage Light/On, to: on }], end: { after: 5min, restore: true } }'
              hap home add user Ben administrator
            """
    )

    @Argument(help: "The kind of object.")
    var kind: HomeObjectKind

    @Argument(help: .value("name", "The name."))
    var name: String

    @OptionGroup var input: HomeContentOptions
    @OptionGroup var options: HomeOptions

    mutating func validate() throws {
        switch kind {
        case .accessory: throw ValidationError("An accessory has to be paired; use 'hap home add-accessory'.")
        case .service: throw ValidationError("A service comes with its accessory; use 'hap home add-accessory'.")
        case .home:
            try options.refuseHomeOption(because: "NAME is the home")
            try options.useStoredHomes(because: "A home cannot be added to 'hap serve'")
        case .room where !input.content.isEmpty || input.file != nil:
            throw ValidationError("A room has only a name; 'hap home move room' puts it into a zone.")
        case .room, .zone, .group, .scene, .automation, .user: break
        }
    }

    func run() async throws {
        let name = try ObjectName(self.name)
        let given = try input.text(isList: kind == .zone || kind == .group)
        let added = "the \(kind.rawValue) \(name)"
        if kind == .home {
            try await options.withStore { store in
                let selected = SelectedHomes(location: .stored, store: store, controller: options.controller)
                try await input.perform(options, in: selected, adding: added) { homes in
                    try HomeObjectEdit(addingHome: name, to: homes, content: given ?? [], file: input.source)
                }
            }
            return
        }
        try await options.withHomes { selected in
            try await input.perform(options, in: selected, adding: added) { homes in
                let home = try options.home(in: homes)
                return try HomeObjectEdit(
                    .add,
                    kind,
                    named: name,
                    in: home,
                    of: homes,
                    content: given,
                    file: input.source
                )
            }
        }
    }
}
