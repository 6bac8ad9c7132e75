import ArgumentParser
import HAPCore
import Hosting
import WebConsole

/// The command `hap log`, which shows the events of a running process.
struct Log: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Show the events of a running 'hap serve', 'hap run' or 'hap home run'.",
        discussion: """
            Prints the latest events. With --follow, it then prints each new one until the process or Ctrl-C ends. \
            Requests, responses and event messages are shown with --all or --json only.

            EXAMPLE
              hap log --last 100
              hap log --follow
              hap log --follow --json --kinds value,request
            """
    )

    @OptionGroup var options: ProcessOptions

    @Option(help: .value("n", "The number of latest events to print."))
    var last = 20

    @Flag(help: "Then print each new event until the process or Ctrl-C ends.")
    var follow = false

    @Option(help: .value("kinds", "The kinds of events, separated by commas, such as value,request."))
    var kinds: String?

    @Flag(help: "Also print events that have no sentence: requests, responses and event messages.")
    var all = false

    func validate() throws {
        guard 0...10_000 ~= last else { throw ValidationError("Write --last as a number from 0 to 10000.") }
        guard kinds.map({ $0.allSatisfy { $0.isASCII && $0.isLetter || $0 == "-" || $0 == "," } }) ?? true else {
            throw ValidationError("Write --kinds as words with commas between them, such as value,request.")
        }
    }

    func run() async throws {
        let process = try await options.running([.serve, .run, .home])
        let filter = kinds.map { "&kinds=\($0)" } ?? ""
        let answer = try await process.request("GET", "/api/v1/events/latest?limit=10000\(filter)")
        guard let known = answer.array else {
            throw CommandFailure.unavailable("The process has not answered with a list of events; try again.")
        }
        var shown = known.filter { isShown($0) }
        shown.removeFirst(max(shown.count - last, 0))
        for event in shown { try print(event) }
        guard follow else { return }
        let position = known.last?.object?["id"]?.number?.integer(as: UInt64.self) ?? 0
        do throws(ConsoleClient.Failure) {
            try await process.client.follow("/api/v1/events?after=\(position)\(filter)") { data in
                guard let event = try? JSONValue(parsing: Array(data.utf8)), isShown(event) else { return true }
                return (try? print(event)) ?? false
            }
        } catch {
            switch error {
            case .interrupted: StandardError.write("hap: The process has ended.\n")
            case .notRunning, .tooLarge: throw process.failure(error)
            }
        }
    }

    private func isShown(_ event: JSONValue) -> Bool {
        all || options.json || event.object?["message"] != nil
    }

    /// Prints an event, and returns whether the output is still read.
    @discardableResult
    private func print(_ event: JSONValue) throws -> Bool {
        guard !options.json else { return try Output.write(String(decoding: event.encoded, as: UTF8.self) + "\n") }
        let object = event.object
        let time = object?["time"]?.string.map { LineTime($0)?.description ?? $0 } ?? ""
        let server = object?["server"]?.string.map { "\($0): " } ?? ""
        return try Output.write("\(time)  \(server)\(Self.text(of: event))".printable + "\n")
    }

    /// Returns the sentence of an event, or its kind and its parts.
    private static func text(of event: JSONValue) -> String {
        let object = event.object
        if let message = object?["message"]?.string { return message }
        let parts = ["method", "path", "status", "count", "characteristic", "controller"]
            .compactMap { key -> String? in
                switch object?[key] {
                case .string(let text): text
                case .number(let number): number.description
                default: nil
                }
            }
        return ([object?["kind"]?.string ?? ""] + parts).joined(separator: " ")
    }
}
