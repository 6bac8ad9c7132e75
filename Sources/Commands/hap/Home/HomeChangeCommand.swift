import AccessoryFiles
import ArgumentParser
import HomeModel

/// The command `hap home change`, which replaces parts of an object.
struct HomeChangeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Change parts of a home, zone, group, scene, automation, accessory, service or user.",
        discussion: """
            The content is what a home file has under the name, in YAML or JSON; docs/homes.md describes it. Each key in \
            the content is replaced completely, or removed if it is null. Other keys are unchanged. A list replaces the \
            whole list. 'hap home edit' opens the content in an editor, and 'hap home rename' changes the name.

            EXAMPLE
              hap home change automation Night '{ when: { time: 07:15, on: workdays } }'
              hap home change automation "Light the Garage" '{ if: null, end: null, enabled: false }'
              hap home change scene "Movie Time" '[{ set: Mood Light/Brightness, to: 5 }]'
              hap home change zone Upstairs Bedroom Office
              hap home change service "Window Light" '{ as: Lightbulb }'
              hap home change user Ada '{ remote: true }'
              hap home change home "Kilgo House" '{ timeZone: Australia/Sydney, primary: true }'
            """
    )

    @Argument(help: "The kind of object.")
    var kind: HomeObjectKind

    @Argument(help: .value("name", "Its name."), completion: HomeCompletion.named)
    var name: String

    @OptionGroup var input: HomeContentOptions
    @OptionGroup var options: HomeOptions

    func validate() throws {
        guard kind != .room else {
            throw ValidationError("A room has only a name, which 'hap home rename' changes.")
        }
        guard !input.content.isEmpty || input.file != nil else {
            throw ValidationError(
                "The content is missing; write it as an argument, such as '{ run: [Reading] }', or use --file."
            )
        }
        if kind == .home { try options.refuseHomeOption(because: "NAME is the home") }
    }

    func run() async throws {
        let content = try input.text(isList: kind == .zone || kind == .group) ?? []
        var options = options
        if kind == .home { options.homeName = name }
        try await options.withHomes { [options] selected in
            try await input.perform(options, in: selected) { homes in
                let home = try options.home(in: homes)
                return try HomeObjectEdit(
                    .change,
                    kind,
                    named: home.name(of: kind, named: name),
                    in: home,
                    of: homes,
                    content: content,
                    file: input.source
                )
            }
        }
    }
}
