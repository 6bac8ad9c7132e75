import ArgumentParser

/// The command `hap home set`, which sets the services that a phrase refers to.
struct HomeSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set services to a value: by name, type, room, zone, group or home.",
        discussion: """
            The words are read as a phrase of 'hap home say' that names services and a value: on, off, open, close, \
            lock, unlock, a color, a mode, the name of a value, or a number with or without its unit. Nothing is \
            unlocked or disarmed and no door is opened unless it is named itself.

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
        help: .value("what value", "The services, then the value."),
        completion: HomeCompletion.objects
    )
    var words: [String]

    @OptionGroup var options: HomeOptions

    func validate() throws {
        try HomePhrase.check(words)
        guard words.count >= 2 else {
            throw ValidationError("Write the services and a value, such as Upstairs lights off.")
        }
    }

    func run() async throws {
        try await HomePhrase(options: options, isDryRun: false)
            .perform(words.joined(separator: " "), isSetting: true)
    }
}
