import CoreMetrics
import Testing

@testable import WebConsole

struct PrometheusRegistryTests {
    private let registry = PrometheusRegistry()

    private var text: String { registry.text { $0 == "reads" ? "Read values." : nil } }

    @Test func countersMetersAndTimersAreWritten() {
        let counter = registry.makeCounter(
            label: "reads",
            dimensions: [("server", "A \"lamp\"\\\n"), ("status", "200")]
        )
        counter.increment(by: 2)
        counter.increment(by: 1)
        registry.makeMeter(label: "open", dimensions: []).set(Int64(3))
        let timer = registry.makeTimer(label: "duration", dimensions: [("x", "1")])
        timer.recordNanoseconds(200_000)
        timer.recordNanoseconds(60_000_000_000)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.contains("# HELP reads_total Read values."))
        #expect(lines.contains("# TYPE reads_total counter"))
        #expect(lines.contains(#"reads_total{server="A \"lamp\"\\\n",status="200"} 3"#))
        #expect(lines.contains("# TYPE open gauge"))
        #expect(lines.contains("open 3.0"))
        #expect(lines.contains("# TYPE duration_seconds histogram"))
        #expect(lines.contains(#"duration_seconds_bucket{x="1",le="0.0001"} 0"#))
        #expect(lines.contains(#"duration_seconds_bucket{x="1",le="0.00025"} 1"#))
        #expect(lines.contains(#"duration_seconds_bucket{x="1",le="+Inf"} 2"#))
        #expect(lines.contains(#"duration_seconds_count{x="1"} 2"#))
        #expect(lines.contains(#"duration_seconds_sum{x="1"} 60.0002"#))
    }

    @Test func seriesWithTheSameLabelsIsOneSeries() {
        registry.makeCounter(label: "reads", dimensions: [("a", "b")]).increment(by: 1)
        registry.makeCounter(label: "reads", dimensions: [("a", "b")]).increment(by: 1)
        #expect(text.contains(#"reads_total{a="b"} 2"#))
    }

    @Test func destroyedSeriesIsNotWritten() {
        let counter = registry.makeCounter(label: "reads", dimensions: [])
        registry.destroyCounter(counter)
        #expect(text.isEmpty)
    }
}
