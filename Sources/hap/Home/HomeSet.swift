import AccessoryModel
import ArgumentParser
import HAPController
import HAPCore
import HomeModel
import HomeRuntime

/// The command `hap home set`, which sets the services that a phrase refers to.
struct HomeSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set services to a value: by name, type, room, zone, group or home.",
        discussion: """
            The last word is the value: on, off, open, close, lock, unlock, the name of a value, or a number with or \
            without its unit. The words before it name the services. on and off do not affect doors and locks, unless \
            the words name nothing else.

            Exits with 2 if an accessory refuses a value, and with 69 if one cannot be reached. The other values are \
            set in any case.

            EXAMPLE
              hap home set Upstairs lights off
              hap home set "Reading Lamps" Brightness 40%
              hap home set Garage Door open
              hap home set "Living Room Thermostat" Heating Threshold Temperature 21.5
            """
    )

    @Argument(
        // A negative number looks like an option.
        parsing: .allUnrecognized,
        help: ArgumentHelp("The services, then the value.", valueName: "what value"),
        completion: HomeCompletion.objects
    )
    var words: [String]

    @OptionGroup var options: HomeOptions

    func validate() throws {
        if let option = words.first(where: { $0.hasPrefix("-") && !$0.dropFirst().allSatisfy(Self.isInNumber) }) {
            throw ValidationError("Unknown option '\(option)'")
        }
        guard words.count >= 2 else {
            throw ValidationError("Write the services and a value, such as Upstairs lights off.")
        }
    }

    private static func isInNumber(_ character: Character) -> Bool {
        character.isASCII && character.isNumber || character == "." || character == "%" || character == "°"
    }

    func run() async throws {
        try await options.withStore { store in
            let homes = try await store.homes().homes
            let phrase = words.dropLast().joined(separator: " ")
            let match =
                try options.homeName == nil
                ? HomePhraseResolver.resolve(phrase, in: homes)
                : HomePhraseResolver.resolve(phrase, in: options.home(in: homes))
            guard let home = homes.home(match.home) else { return }
            try await HomeActions(options: options)
                .run(try match.actions(setting: words[words.count - 1], in: home), in: home)
        }
    }
}
