import AccessoryFiles
import AccessoryModel
import ArgumentParser
import Documents
import HomeModel

/// The triggers of an automation on the command line.
struct HomeTriggerOptions: ParsableArguments {
    /// The allowed minutes before and after sunrise or sunset, which are also the limits of the model.
    private static let offsetMinutes = -720...720

    @Option(help: ArgumentHelp("When a property of a service becomes a value.", valueName: "service/property=value"))
    var when: [String] = []

    @Option(help: ArgumentHelp("Every day at a time.", valueName: "hh:mm"))
    var at: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("A number of minutes after sunrise; before it if negative.", valueName: "minutes")
    )
    var sunrise: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("A number of minutes after sunset; before it if negative.", valueName: "minutes")
    )
    var sunset: Int?

    @Flag(help: "When the first user arrives.")
    var firstArrives = false

    @Flag(help: "When the last user leaves.")
    var lastLeaves = false

    @Option(help: ArgumentHelp("A trigger, as under \"when\" in a home file.", valueName: "map"))
    var trigger: [String] = []

    func validate() throws {
        guard [sunrise, sunset].compactMap(\.self).allSatisfy(Self.offsetMinutes.contains) else {
            throw ValidationError(
                "Write minutes from \(Self.offsetMinutes.lowerBound) to \(Self.offsetMinutes.upperBound)."
            )
        }
        try HomeActionArgument.check(when)
        guard try !namedTriggers().isEmpty || !when.isEmpty else {
            throw ValidationError(
                "Write at least one of --when, --at, --sunrise, --sunset, --first-arrives, --last-leaves and --trigger."
            )
        }
    }

    /// Returns the triggers whose references, if any, are names that still have to be resolved.
    ///
    /// - Throws: `ValidationError` when one of them is invalid.
    func namedTriggers() throws -> [Trigger<HomeNames>] {
        var triggers: [Trigger<HomeNames>] = []
        if let at {
            guard let time = CivilTime(at) else { throw ValidationError("Write a time as 22:30.") }
            triggers.append(.timeOfDay(time, .daily))
        }
        if let sunrise { triggers.append(.sun(.sunrise, offset: .seconds(60) * sunrise, .daily)) }
        if let sunset { triggers.append(.sun(.sunset, offset: .seconds(60) * sunset, .daily)) }
        if firstArrives { triggers.append(.presence(.firstArrives)) }
        if lastLeaves { triggers.append(.presence(.lastLeaves)) }
        for text in trigger {
            triggers += try HomeFilePart.read(text, "--trigger", .triggers)
        }
        return triggers
    }

    /// Returns the triggers that fire when a property becomes a value.
    func valueTriggers(in home: Home) throws(HomeError) -> [Trigger<HomeIDs>] {
        var triggers: [Trigger<HomeIDs>] = []
        for text in when {
            let wanted = try HomeActionArgument.state(text, in: home)
            triggers.append(.characteristic(wanted.characteristic, .equals(wanted.value)))
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
            let reasons = error.diagnostics.map { diagnostic in
                diagnostic.path.isEmpty ? diagnostic.reason : "\(diagnostic.path): \(diagnostic.reason)"
            }
            throw ValidationError("\(option): \(reasons.joined(separator: "; ")).".escapingControlCharacters)
        }
    }
}
