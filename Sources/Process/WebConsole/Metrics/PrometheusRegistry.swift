package import CoreMetrics
internal import Synchronization

/// A registry of metrics that are shown in the text format of Prometheus.
///
/// Counters, meters and timers are shown as counters, gauges and histograms. Units are seconds.
/// [Exposition formats](https://prometheus.io/docs/instrumenting/exposition_formats/)
package final class PrometheusRegistry: MetricsFactory {
    private let series = Mutex<[SeriesKey: any Series]>([:])

    /// A metric with its labels.
    private struct SeriesKey: Hashable {
        let name: String
        let labels: String
    }

    package init() {}

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions) { CounterSeries() }
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions) { GaugeSeries() }
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        series(label, dimensions) { GaugeSeries() }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions) { HistogramSeries() }
    }

    package func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    package func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    package func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    package func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

    /// Removes the metrics of a server.
    func removeAll(of server: String) {
        let label = "server=\"\(Self.escaped(server))\""
        series.withLock { series in
            series = series.filter { key, _ in !key.labels.hasPrefix(label) && !key.labels.contains(",\(label)") }
        }
    }

    /// Returns all metrics as text.
    ///
    /// - Parameter help: Returns the description of a metric by its name.
    package func text(help: (_ name: String) -> String?) -> String {
        let all = series.withLock { $0 }
        var text = ""
        for (name, members) in Dictionary(grouping: all, by: \.key.name).sorted(by: { $0.key < $1.key }) {
            guard let kind = members.first.map({ type(of: $0.value) }) else { continue }
            let title = name + kind.suffix
            if let help = help(name) { text += "# HELP \(title) \(help)\n" }
            text += "# TYPE \(title) \(kind.typeName)\n"
            for (key, series) in members.sorted(by: { $0.key.labels < $1.key.labels }) {
                text += series.lines(title, key.labels)
            }
        }
        return text
    }

    private func series<Kind: Series>(
        _ name: String,
        _ dimensions: [(String, String)],
        _ make: () -> Kind
    ) -> Kind {
        let labels = dimensions.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
        let key = SeriesKey(name: name, labels: labels)
        return series.withLock { series in
            if let known = series[key] as? Kind { return known }
            let new = make()
            series[key] = new
            return new
        }
    }

    private func remove(_ handler: AnyObject) {
        series.withLock { series in series = series.filter { $0.value !== handler } }
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}

/// The values of a metric with one set of labels.
private protocol Series: AnyObject, Sendable {
    /// The type in the exposition format.
    static var typeName: String { get }
    /// The end of the name.
    static var suffix: String { get }
    /// Returns the lines of the values.
    func lines(_ name: String, _ labels: String) -> String
}

extension Series {
    static var suffix: String { "" }

    func line(_ name: String, _ labels: String, _ value: some CustomStringConvertible) -> String {
        labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }
}

private final class CounterSeries: Series, CounterHandler {
    static let typeName = "counter"
    static let suffix = "_total"
    private let count = Atomic<Int64>(0)

    func increment(by amount: Int64) { count.wrappingAdd(amount, ordering: .relaxed) }
    func reset() { count.store(0, ordering: .relaxed) }
    func lines(_ name: String, _ labels: String) -> String { line(name, labels, count.load(ordering: .relaxed)) }
}

private final class GaugeSeries: Series, MeterHandler, RecorderHandler {
    static let typeName = "gauge"
    private let value = Mutex(0.0)

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { self.value.withLock { $0 = value } }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
    func lines(_ name: String, _ labels: String) -> String { line(name, labels, value.withLock { $0 }) }
}

private final class HistogramSeries: Series, TimerHandler {
    static let typeName = "histogram"
    static let suffix = "_seconds"

    /// The upper bounds of the buckets in seconds: from a fast read to a handler that times out.
    private static let bounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 3, 9]

    private struct State {
        var counts = [UInt64](repeating: 0, count: HistogramSeries.bounds.count)
        var total: UInt64 = 0
        var sum = 0.0
    }

    private let state = Mutex(State())

    func recordNanoseconds(_ duration: Int64) {
        let seconds = Double(duration) / 1e9
        state.withLock { state in
            state.total += 1
            state.sum += seconds
            if let bucket = Self.bounds.firstIndex(where: { seconds <= $0 }) { state.counts[bucket] += 1 }
        }
    }

    func lines(_ name: String, _ labels: String) -> String {
        let state = state.withLock { $0 }
        let prefix = labels.isEmpty ? "" : labels + ","
        var text = ""
        var cumulative: UInt64 = 0
        for (bound, count) in zip(Self.bounds, state.counts) {
            cumulative += count
            text += line(name + "_bucket", "\(prefix)le=\"\(bound)\"", cumulative)
        }
        text += line(name + "_bucket", "\(prefix)le=\"+Inf\"", state.total)
        return text + line(name + "_sum", labels, state.sum) + line(name + "_count", labels, state.total)
    }
}
