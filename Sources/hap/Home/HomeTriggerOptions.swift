import AccessoryFiles
import ArgumentParser
import HomeModel

/// What an automation waits for, on a command line.
struct HomeTriggerOptions: ParsableArguments {
    /// Minutes before and after the sun; more is refused by the rules, too.
    private static let minutes = -720...720

    @Option(help: ArgumentHelp("When a property of a service becomes a value.", valueName: "service/property=value"))
    var when: String?

    @Option(help: ArgumentHelp("Every day at a time.", valueName: "hh:mm"))
    var at: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("So many minutes after sunrise; before it when negative.", valueName: "minutes")
    )
    var sunrise: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("So many minutes after sunset; before it when negative.", valueName: "minutes")
    )
    var sunset: Int?

    @Flag(help: "When the first one comes home.")
    var firstArrives = false

    @Flag(help: "When the last one leaves.")
    var lastLeaves = false

    @Option(help: ArgumentHelp("Whatever stands under \"when\" in a home file.", valueName: "map"))
    var trigger: String?

    func validate() throws {
        guard [sunrise, sunset].compactMap(\.self).allSatisfy(Self.minutes.contains) else {
            throw ValidationError("Write minutes from \(Self.minutes.lowerBound) to \(Self.minutes.upperBound).")
        }
        _ = try spoken()
    }

    /// What was said.
    ///
    /// - Throws: `ValidationError` when that is nothing, too much, or cannot be understood.
    func spoken() throws -> SpokenTrigger {
        var spoken: [SpokenTrigger] = []
        if let when {
            try SpokenAction.check([when])
            spoken.append(.becomes(when))
        }
        if let at {
            guard let time = CivilTime(at) else { throw ValidationError("Write a time as 22:30.") }
            spoken.append(.fixed(.timeOfDay(time, .daily)))
        }
        if let sunrise { spoken.append(.fixed(.sun(.sunrise, offset: .seconds(60) * sunrise, .daily))) }
        if let sunset { spoken.append(.fixed(.sun(.sunset, offset: .seconds(60) * sunset, .daily))) }
        if firstArrives { spoken.append(.fixed(.presence(.firstArrives))) }
        if lastLeaves { spoken.append(.fixed(.presence(.lastLeaves))) }
        if let trigger {
            spoken.append(.documented(try WrittenPart.read(trigger, "--trigger", HomeFile.trigger)))
        }
        guard spoken.count == 1 else {
            throw ValidationError(
                "Write one of --when, --at, --sunrise, --sunset, --first-arrives, --last-leaves and --trigger."
            )
        }
        return spoken[0]
    }
}
