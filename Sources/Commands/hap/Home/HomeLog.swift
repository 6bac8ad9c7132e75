import AccessoryModel
import DequeModule
import Documents
import HAPController
import HAPCore
import HomeModel
import HomeRuntime
import Hosting
import Resources
import Synchronization
import WebConsole

/// A log that prints one line for each event of a running home.
final class HomeLog: HostedHomeObserver {
    private let printer: LinePrinter
    private let clock: any HomeClock
    private let title: String?
    /// The start of the elapsed time that the lines show, or `nil` to print the time itself.
    private let startInstant: WallInstant?
    /// The buffer in which lines wait until all lines about earlier events are printed, or `nil` to print them at once.
    private let heldLines: HeldLines?
    private let isJSON: Bool
    /// Whether value changes are printed.
    ///
    /// If the servers have a log, it already prints them.
    private let showsValues: Bool
    private let values = Mutex<[CharacteristicSelector: CharacteristicValue]>([:])
    /// The calendar of the home with its time zone, or `nil` before a home is known.
    private let calendar: Mutex<(timeZone: String?, calendar: FoundationCalendar)?>

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - printer: The printer for the lines.
    ///   - home: The running home, for its calendar.
    ///   - clock: The home's clock.
    ///   - title: A prefix of each line, for a printer that other logs use, too.
    ///   - start: The start of the elapsed time that the lines show, or `nil` to print the time itself.
    ///   - held: The buffer in which the lines wait, or `nil` to print them at once.
    ///   - isJSON: Whether the lines are JSON objects.
    ///   - showsValues: Whether value changes are printed.
    init(
        _ printer: LinePrinter,
        of home: Home? = nil,
        on clock: any HomeClock = MachineClock(),
        title: String? = nil,
        startedAt start: WallInstant? = nil,
        heldIn held: HeldLines? = nil,
        isJSON: Bool = false,
        showsValues: Bool = true
    ) {
        self.printer = printer
        self.clock = clock
        self.title = title
        self.startInstant = start
        self.heldLines = held
        self.isJSON = isJSON
        self.showsValues = showsValues
        calendar = Mutex(home.map { ($0.timeZone, FoundationCalendar(of: $0)) })
    }

    func observe(_ news: HomeEvent, in home: Home, at instant: WallInstant) {
        let line = { (event: String, text: String, automation: String?) in
            self.printLine(event, text, automation: automation, at: instant)
        }
        calendar.withLock { known in
            // A time zone is looked up only if it has changed, because a start reports the value of each characteristic.
            if known == nil || known?.timeZone != home.timeZone {
                known = (home.timeZone, FoundationCalendar(of: home))
            }
        }
        switch news {
        case .journal(let entry):
            // Only the journal records an automation that continues to wait.
            if case .noChange = entry.event { return }
            line("journal", entry.text(in: home, by: FoundationCalendar(of: home)), entry.name)
        case .ran(let request, let results):
            let name = home.automation(request.automation)?.name.text ?? "An automation"
            let index = HomeIndex(home)
            let done = results.filter(\.hasSucceeded).map { index.text(of: $0.action) }
            if !done.isEmpty {
                line("set", "\(name): \(done.joined(separator: ", ")).", name)
            }
            for result in results where !result.hasSucceeded {
                let text = "\(name): \(index.text(of: result.action)) failed. \(result.failureReason(in: index))"
                line("failed", text, name)
            }
        case .value(let selector, let value):
            let before = values.withLock { values in
                defer { values[selector] = value }
                return values[selector]
            }
            // The first value is not a change. After a reconnection, the same value is not a change, either.
            guard showsValues, let before, before != value else { return }
            line("value", "\(home.text(of: selector)): \(home.text(of: value, for: selector))", nil)
        case .accepted(let selector, let value):
            // The line about the run already shows the value.
            values.withLock { $0[selector] = value }
        case .reachable(let server):
            guard showsValues else { return }
            line("reachable", "\(name(of: server, in: home)) can be reached.", nil)
        case .unreachable(let server, let reason):
            line("unreachable", "\(name(of: server, in: home)) cannot be reached; retrying. \(reason)", nil)
        case .structureChanged(let server):
            line("changed", "The services of \(name(of: server, in: home)) have changed.", nil)
        case .edited: break
        }
    }

    /// Prints a note.
    func report(_ text: String) async {
        printLine("note", text, automation: nil, at: await clock.now)
    }

    private func name(of server: DeviceID, in home: Home) -> String {
        home.accessories.first { $0.reference?.server == server }?.name.text ?? server.description
    }

    private func printLine(_ event: String, _ text: String, automation: String?, at instant: WallInstant) {
        guard isJSON else {
            let titled = (title.map { "\($0): " } ?? "") + text
            guard let startInstant else {
                let known = calendar.withLock { $0 }
                let time = LineTime.now.text(of: instant, in: known?.calendar, zone: known?.timeZone)
                return printer.printLine("\(time)  \(titled)".printable)
            }
            let elapsed = startInstant.duration(to: instant)
            let line = "\(elapsed.stopwatchText)  \(titled)".printable
            guard let heldLines else { return printer.printLine(line) }
            return heldLines.hold(line, at: elapsed)
        }
        let line = HomeLogLine(time: EventTime.now.text, event: event, automation: automation, message: text)
        printer.printLine(HomeLogLine.format.json(line))
    }
}

/// A line about a running home.
struct HomeLogLine: Sendable {
    var time: String
    var event: String
    var automation: String?
    var message: String

    static let format = Format<HomeLogLine>(
        response: "HomeLogLine",
        .written("time", \.time, .string, "The time."),
        .written("event", \.event, .string, "The kind of event, such as journal, set, failed, value or note."),
        .written("automation", \.automation, .string, "The name of the automation, if there is one."),
        .written("message", \.message, .string, "The event in a sentence.")
    )
}

/// A buffer of lines that are held until all lines about earlier events are printed.
final class HeldLines: Sendable {
    private let lines = Mutex<Deque<(milliseconds: Int64, text: String)>>([])

    /// Holds a line of a time.
    ///
    /// The times must not decrease.
    func hold(_ text: String, at time: Duration) {
        lines.withLock { $0.append((time.wholeMilliseconds, text)) }
    }

    /// Removes the lines of earlier times, and returns them in order.
    func removeAll(before time: Duration) -> [String] {
        lines.withLock { lines in
            let count = lines.prefix { $0.milliseconds < time.wholeMilliseconds }.count
            defer { lines.removeFirst(count) }
            return lines.prefix(count).map(\.text)
        }
    }

    /// Removes all lines, and returns them in order.
    func removeAll() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines.map(\.text)
        }
    }
}
