import AccessoryFiles
import AccessoryModel
import ArgumentParser
import Documents
import HomeModel

/// The triggers of an automation on the command line.
struct HomeTriggerOptions: ParsableArguments {
    /// The allowed minutes before and after sunrise or sunset, which are also the limits of the model.
    private static let offsetMinutes = -720...720

    @Option(
        help: ArgumentHelp(
            "When a property of a service gets a value: =, >, <, >=, <=, a range as =18...24, or \"WHAT changes\".",
            valueName: "what=value"
        )
    )
    var when: [String] = []

    @Option(help: ArgumentHelp("Every day at a time.", valueName: "hh:mm"))
    var at: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A number of minutes after sunrise; before it if negative.", valueName: "minutes")
    )
    var sunrise: [Int] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A number of minutes after sunset; before it if negative.", valueName: "minutes")
    )
    var sunset: [Int] = []

    @Option(
        help: ArgumentHelp(
            "The days for --at, --sunrise and --sunset: workdays, weekend, a day, or several with commas.",
            valueName: "days"
        )
    )
    var on: String?

    @Option(help: ArgumentHelp("Once at a day and a time, such as \"2026-12-24 18:00\".", valueName: "date"))
    var date: [String] = []

    @Option(help: ArgumentHelp("Repeatedly after a duration, such as 2h.", valueName: "duration"))
    var every: [String] = []

    @Flag(help: "When the first user arrives.")
    var firstArrives = false

    @Flag(help: "When the last user leaves.")
    var lastLeaves = false

    @Flag(help: "When all users are home.")
    var everyoneArrives = false

    @Flag(help: "Each time a user arrives.")
    var anyoneArrives = false

    @Flag(help: "Each time a user leaves.")
    var anyoneLeaves = false

    @Option(help: ArgumentHelp("When a user arrives.", valueName: "user"), completion: HomeCompletion.names(.user))
    var arrives: [String] = []

    @Option(help: ArgumentHelp("When a user leaves.", valueName: "user"), completion: HomeCompletion.names(.user))
    var leaves: [String] = []

    @Option(help: ArgumentHelp("A trigger, as under \"when\" in a home file.", valueName: "map"))
    var trigger: [String] = []

    /// Whether no trigger is given.
    var isEmpty: Bool { when.isEmpty && ((try? namedTriggers())?.isEmpty ?? false) }

    func validate() throws {
        guard (sunrise + sunset).allSatisfy(Self.offsetMinutes.contains) else {
            throw ValidationError(
                "Write minutes from \(Self.offsetMinutes.lowerBound) to \(Self.offsetMinutes.upperBound)."
            )
        }
        guard on == nil || !(at.isEmpty && sunrise.isEmpty && sunset.isEmpty) else {
            throw ValidationError("--on gives the days for --at, --sunrise and --sunset; add one of these.")
        }
        try HomeTestArgument.check(when)
        _ = try namedTriggers()
    }

    /// Returns the triggers whose references, if any, are names that still have to be resolved.
    ///
    /// - Throws: `ValidationError` when one of them is invalid.
    func namedTriggers() throws -> [Trigger<HomeNames>] {
        let recurrence = try recurrence()
        var triggers: [Trigger<HomeNames>] = []
        for text in at {
            guard let time = CivilTime(text) else { throw ValidationError("Write a time as 22:30.") }
            triggers.append(.timeOfDay(time, recurrence))
        }
        triggers += sunrise.map { .sun(.sunrise, offset: .seconds(60) * $0, recurrence) }
        triggers += sunset.map { .sun(.sunset, offset: .seconds(60) * $0, recurrence) }
        for text in date {
            guard let date = CivilDateTime(text) else {
                throw ValidationError("Write a day and a time as \"2026-12-24 18:00\".")
            }
            triggers.append(.calendar(date, .once))
        }
        for text in every {
            guard let interval = DurationText.readSum(text) else {
                throw ValidationError(
                    "Write --every as a duration such as 15min or 2h; write --trigger \"date: 2026-12-24 18:00, every: "
                        + "year\" for a date that recurs."
                )
            }
            triggers.append(.interval(interval, from: nil))
        }
        triggers += presenceEvents.map { .presence($0) }
        for text in trigger {
            triggers += try HomeFilePart.read(text, "--trigger", .triggers)
        }
        return triggers
    }

    private var presenceEvents: [PresenceEvent<Located<String>>] {
        let events: [(Bool, PresenceEvent<Located<String>>)] = [
            (firstArrives, .firstArrives), (lastLeaves, .lastLeaves), (everyoneArrives, .everyoneArrives),
            (anyoneArrives, .anyoneArrives), (anyoneLeaves, .anyoneLeaves),
        ]
        return events.filter(\.0).map(\.1) + arrives.map { .arrives(Located($0)) } + leaves.map { .leaves(Located($0)) }
    }

    /// Returns the days that `--on` gives, or every day.
    private func recurrence() throws -> Recurrence {
        guard let on else { return .daily }
        guard case .days(let days) = try HomeFilePart.read("days: [\(on)]", "--on", .condition) else {
            throw ValidationError("Write --on as workdays, weekend or a day of the week.")
        }
        return .weekly(days)
    }

    /// Returns the triggers of an automation with the time of day of one `--at`, or `nil` if the options say more.
    ///
    /// The days stay as they are, unless `--on` gives others.
    ///
    /// - Throws: `HomeError` unless the automation has exactly one time of day.
    func changedTime(of automation: Automation, in home: Home) throws(HomeError) -> [Trigger<HomeIDs>]? {
        guard when.isEmpty, at.count == 1, let given = try? namedTriggers(), given.count == 1,
            case .timeOfDay(let time, let days)? = given.first
        else { return nil }
        var times: [(index: Int, days: Recurrence)] = []
        for (index, trigger) in automation.triggers.enumerated() {
            if case .timeOfDay(_, let days) = trigger { times.append((index, days)) }
        }
        guard let changed = times.first, times.count == 1 else {
            throw HomeError(
                .ambiguousName,
                at: "\(home.name)/\(automation.name)",
                times.isEmpty
                    ? "The automation has no time of day that --at could change; it runs "
                        + "\(home.text(of: automation.triggers))."
                    : "The automation has several times of day: \(home.text(of: automation.triggers)).",
                remedy: "Replace all triggers, such as with --trigger \"time: \(time)\"."
            )
        }
        var triggers = automation.triggers
        triggers[changed.index] = .timeOfDay(time, on == nil ? changed.days : days)
        return triggers
    }

    /// Returns the triggers that fire when a property gets a value.
    func valueTriggers(in home: Home) throws(HomeError) -> [Trigger<HomeIDs>] {
        var triggers: [Trigger<HomeIDs>] = []
        for text in when {
            let (characteristic, test) = try HomeTestArgument.test(text, in: home)
            triggers.append(.characteristic(characteristic, test))
        }
        return triggers
    }
}

/// A part of a home file that is given on the command line.
enum HomeFilePart {
    /// Reads a part.
    ///
    /// - Parameters:
    ///   - text: The text of the part.
    ///   - option: The option that has the text as its value.
    ///   - format: The format of the part in a file.
    /// - Throws: `ValidationError` with all errors on one line.
    static func read<Part>(_ text: String, _ option: String, _ format: Format<Part>) throws -> Part {
        do throws(DocumentError) {
            return try HomeFile.part(format, of: text, in: option)
        } catch {
            let reasons = error.diagnostics.map(\.pathAndReason)
            throw ValidationError("\(option): \(reasons.joined(separator: "; ")).".escapingControlCharacters)
        }
    }
}
