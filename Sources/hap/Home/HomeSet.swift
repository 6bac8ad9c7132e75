import AccessoryModel
import ArgumentParser
import HAPController
import HAPCore
import HomeModel
import HomeRuntime

/// `hap home set`: sets what people mean with a phrase.
struct HomeSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set services to a value: by name, type, room, zone, group or home.",
        discussion: """
            The last word is the value: on, off, open, close, lock, unlock, the name of a value, or a number with its unit or \
            without. What is before it says what is meant; on and off move no door and no lock unless that alone is meant.

            Ends with 2 when an accessory refuses something, with 69 when one cannot be reached; the rest is set all the same.

            EXAMPLE
              hap home set Upstairs lights off
              hap home set "Reading Lamps" Brightness 40%
              hap home set Garage Door open
              hap home set "Living Room Thermostat" Heating Threshold Temperature 21.5
            """
    )

    @Argument(
        // A number below zero begins as an option does.
        parsing: .allUnrecognized,
        help: ArgumentHelp("What is meant, then its value.", valueName: "what value"),
        completion: HomeCompletion.objects
    )
    var words: [String]

    @OptionGroup var options: HomeOptions

    func validate() throws {
        if let option = words.first(where: { $0.hasPrefix("-") && !$0.dropFirst().allSatisfy(Self.isInNumber) }) {
            throw ValidationError("Unknown option '\(option)'")
        }
        guard words.count >= 2 else {
            throw ValidationError("Write what is meant and its value, as Upstairs lights off.")
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
