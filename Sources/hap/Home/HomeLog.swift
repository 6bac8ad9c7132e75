import AccessoryModel
import Foundation
import HAPController
import HAPCore
import HomeModel
import HomeRunning
import Synchronization

/// Prints one line for each thing that happens while a home is run.
final class HomeLog: HomeRunObserver {
    private let printer: LinePrinter
    private let title: String?
    private let isJSON: Bool
    /// Whether the changes of values are printed; the log of a server does that already.
    private let showsValues: Bool
    private let values = Mutex<[CharacteristicSelector: CharacteristicValue]>([:])
    private let keep: @Sendable (JournalEntry, Home) -> Void
    /// The home's clocks; the machine's as long as no home is known.
    private let calendar: Mutex<FoundationCalendar?>

    /// - Parameters:
    ///   - home: What is run, for its clocks.
    ///   - title: What each line begins with, where others print, too.
    ///   - keep: Takes what the engine says.
    init(
        _ printer: LinePrinter,
        of home: Home? = nil,
        title: String? = nil,
        isJSON: Bool = false,
        showsValues: Bool = true,
        keep: @escaping @Sendable (JournalEntry, Home) -> Void = { _, _ in }
    ) {
        self.printer = printer
        self.title = title
        self.isJSON = isJSON
        self.showsValues = showsValues
        self.keep = keep
        calendar = Mutex(home.map { FoundationCalendar(of: $0) })
    }

    func observe(_ news: HomeNews, in home: Home) {
        calendar.withLock { $0 = FoundationCalendar(of: home) }
        switch news {
        case .journal(let entry):
            keep(entry, home)
            // What waits and waits on is for the journal.
            if case .noEdge = entry.event { return }
            line("journal", entry.text(in: home, by: FoundationCalendar(of: home)), automation: entry.name)
        case .ran(let request, let results):
            let name = home.automation(request.automation)?.name.text ?? "An automation"
            let done = results.filter(\.isDone).map { home.text(of: $0.action) }
            if !done.isEmpty {
                line("set", "\(name): \(done.joined(separator: ", ")).", automation: name)
            }
            for result in results where !result.isDone {
                let text = "\(name): \(home.text(of: result.action)) was not done. \(result.outcome.text)"
                line("failed", text, automation: name)
            }
        case .value(let selector, let value):
            let before = values.withLock { values in
                defer { values[selector] = value }
                return values[selector]
            }
            // The first value is no change, and neither is the same one after a connection was lost.
            guard showsValues, let before, before != value else { return }
            line("value", "\(home.text(of: selector)): \(home.text(of: value, for: selector))")
        case .reachable(let server):
            guard showsValues else { return }
            line("reachable", "\(name(of: server, in: home)) can be reached.")
        case .unreachable(let server, let reason):
            line("unreachable", "\(name(of: server, in: home)) cannot be reached, and is tried again. \(reason)")
        case .structureChanged(let server):
            line("changed", "\(name(of: server, in: home)) has other services now.")
        }
    }

    /// Prints a sentence.
    func say(_ text: String) {
        line("note", text)
    }

    private func name(of server: DeviceID, in home: Home) -> String {
        home.accessories.first { $0.reference?.server == server }?.name.text ?? server.description
    }

    private func line(_ event: String, _ text: String, automation: String? = nil) {
        guard isJSON else {
            let calendar = calendar.withLock { $0 } ?? .machine
            let head = title.map { "\($0): " } ?? "\(calendar.civil(of: MachineClock().now).time.paddedDescription)  "
            return printer.line("\(head)\(text)".printable)
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("time", Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
        writer.member("event", event)
        if let automation {
            writer.member("automation", automation)
        }
        writer.member("text", text)
        writer.endObject()
        printer.line(String(decoding: writer.finish(), as: UTF8.self))
    }
}
