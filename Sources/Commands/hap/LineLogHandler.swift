import HAPCore
import Hosting
import Logging

/// A log handler that prints each entry as one line: time, level, message, and the metadata sorted by key.
///
/// The printer writes on its own queue, so the code that logs does not wait for the terminal.
struct LineLogHandler: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    private let printer: LinePrinter

    init(_ printer: LinePrinter, level: Logger.Level) {
        self.printer = printer
        logLevel = level
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let time = LineTime.now
        let metadata = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }
            .merging(event.metadata ?? [:]) { $1 }
        printer.printLine(composedBy: { Self.line(event, metadata, at: time) })
    }

    private static func line(_ event: LogEvent, _ metadata: Logger.Metadata, at time: LineTime) -> String {
        let details = metadata.sorted { $0.key < $1.key }
            .map { key, value in
                let text = "\(value)".printable
                return text.contains(" ") || text.isEmpty ? " \(key)=\"\(text)\"" : " \(key)=\(text)"
            }
        return "\(time.precise)  \(event.level): \(event.message)" + details.joined()
    }
}
