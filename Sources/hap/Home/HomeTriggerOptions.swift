import AccessoryFiles
import AccessoryModel
import ArgumentParser
import Documents
import HomeModel

/// What an automation waits for, on a command line.
struct HomeTriggerOptions: ParsableArguments {
    /// Minutes before and after the sun; more is refused by the rules, too.
    private static let offsetMinutes = -720...720

    @Option(help: ArgumentHelp("When a property of a service becomes a value.", valueName: "service/property=value"))
    var when: [String] = []

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

    @Option(help: ArgumentHelp("What is under \"when\" in a home file.", valueName: "map"))
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

    /// The triggers that say what they wait for by names, or that need none.
    ///
    /// - Throws: `ValidationError` when one of them cannot be understood.
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

    /// The triggers that wait for a property to become a value.
    func valueTriggers(in home: Home) throws(HomeError) -> [Trigger<HomeIDs>] {
        var triggers: [Trigger<HomeIDs>] = []
        for text in when {
            let wanted = try HomeActionArgument.state(text, in: home)
            triggers.append(.characteristic(wanted.characteristic, .equals(wanted.value)))
        }
        return triggers
    }
}

/// A part of a home file that is written on a command line.
enum HomeFilePart {
    /// Reads a part.
    ///
    /// - Parameters:
    ///   - text: What was written.
    ///   - option: Where.
    ///   - format: How a file has it.
    /// - Throws: `ValidationError` with everything that is wrong, in a line.
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
