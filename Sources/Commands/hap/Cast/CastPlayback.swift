import ArgumentParser
import CastSender
import Documents
import Hosting

/// The command `hap cast play`.
struct CastPlay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Play.",
        discussion: """
            EXAMPLE
              hap cast play "Living Room"
            """
    )

    @OptionGroup var options: CastOptions

    func run() async throws { try await options.perform { try await $0.play() } }
}

/// The command `hap cast pause`.
struct CastPause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Pause.",
        discussion: """
            EXAMPLE
              hap cast pause "Living Room"
            """
    )

    @OptionGroup var options: CastOptions

    func run() async throws { try await options.perform { try await $0.pause() } }
}

/// The command `hap cast stop`.
struct CastStop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "End what is played; the app goes on.",
        discussion: """
            EXAMPLE
              hap cast stop "Living Room"
            """
    )

    @OptionGroup var options: CastOptions

    func run() async throws { try await options.perform { try await $0.stop() } }
}

/// The command `hap cast skip-ad`.
struct CastSkipAd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skip-ad",
        abstract: "Skip the ad that is played, if that is possible now.",
        discussion: """
            EXAMPLE
              hap cast skip-ad "Living Room"
            """
    )

    @OptionGroup var options: CastOptions

    func run() async throws { try await options.perform { try await $0.skipAd() } }
}

/// The command `hap cast seek`.
struct CastSeek: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seek",
        abstract: "Jump to a position.",
        discussion: """
            EXAMPLE
              hap cast seek "Living Room" 1:30:00
              hap cast seek "Living Room" 90       seconds
              hap cast seek "Living Room" +30      30 s forward
              hap cast seek "Living Room" -- -10   10 s back
            """
    )

    @OptionGroup var options: CastOptions

    @Argument(help: .value("time", "Seconds, 1:30:00 or 1h30min; with + or - from the present position."))
    var time: String

    func run() async throws {
        let isRelative = time.hasPrefix("+") || time.hasPrefix("-")
        guard let seconds = CastTime.seconds(isRelative ? String(time.dropFirst()) : time) else {
            throw CommandFailure.usage("\"\(time.printable)\" is not a time; write it as 90, 1:30 or 1h30min.")
        }
        try await options.perform { media in
            if isRelative {
                try await media.seek(by: time.hasPrefix("-") ? -seconds : seconds)
            } else {
                try await media.seek(to: seconds)
            }
        }
    }
}

/// The command `hap cast rate`.
struct CastRate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rate",
        abstract: "Change the rate, from 0.5 to 2.",
        discussion: """
            EXAMPLE
              hap cast rate "Living Room" 0.5
            """
    )

    @OptionGroup var options: CastOptions

    @Argument(help: .value("rate", "A number from 0.5 to 2; 1 is normal."))
    var rate: Double

    func validate() throws {
        guard 0.5...2 ~= rate else { throw ValidationError("Write the rate as a number from 0.5 to 2.") }
    }

    func run() async throws { try await options.perform { try await $0.setPlaybackRate(rate) } }
}

/// The command `hap cast volume`.
struct CastVolumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "volume",
        abstract: "Set the volume of the receiver.",
        discussion: """
            EXAMPLE
              hap cast volume "Living Room" 30
              hap cast volume "Living Room" +5
              hap cast volume "Living Room" -- -5
            """
    )

    @OptionGroup var options: CastOptions

    @Argument(help: .value("percent", "From 0 to 100; with + or - a change."))
    var level: String

    func run() async throws {
        let isRelative = level.hasPrefix("+") || level.hasPrefix("-")
        guard level.wholeMatch(of: #/[+-]?[0-9]+(\.[0-9]+)?/#) != nil, let percent = Double(level),
            (isRelative ? -100...100 : 0...100) ~= percent
        else {
            throw CommandFailure.usage("\"\(level.printable)\" is not a volume; write it as 30, or +5.")
        }
        try await options.withSession { session in
            let former = session.receiverStatus?.volume.level ?? 0
            try await session.setVolume(isRelative ? former + percent / 100 : percent / 100)
            _ = try? await session.join()
            try options.print(session)
        }
    }
}

/// The command `hap cast mute`.
struct CastMute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute",
        abstract: "Mute the receiver, or unmute it with --off.",
        discussion: """
            EXAMPLE
              hap cast mute "Living Room" --off
            """
    )

    @OptionGroup var options: CastOptions

    @Flag(help: "Unmute it.")
    var off = false

    func run() async throws {
        try await options.withSession { session in
            try await session.setMuted(!off)
            _ = try? await session.join()
            try options.print(session)
        }
    }
}

/// An address as a user writes it.
enum CastAddress {
    static func isValid(_ text: String) -> Bool { text.wholeMatch(of: #/(?i)https?:\/\/[^\/\s]+\S*/#) != nil }
}

/// A position as a user writes it.
enum CastTime {
    /// Returns the seconds of `90`, `1:30`, `1:30:00`, `90s` or `1h30min`; `nil` for any other text.
    static func seconds(_ text: String) -> Double? {
        guard text.first?.isNumber == true else { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
        if let numbers = parts as? [Double], 1...3 ~= numbers.count, numbers.allSatisfy({ 0...1e9 ~= $0 }) {
            return numbers.reduce(0) { $0 * 60 + $1 }
        }
        let words = text.replacing(#/([a-z])([0-9])/#) { "\($0.output.1) \($0.output.2)" }
        return DurationText.readSum(words).map { $0 / .seconds(1) }
    }
}
