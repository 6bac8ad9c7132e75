import Testing

@testable import hap

/// The lines of a home in a scenario: after their cause, and before later events.
@Suite struct HeldLinesTests {
    @Test func linesArePrintedBeforeThoseOfALaterMillisecond() {
        let held = HeldLines()
        held.hold("one", at: .milliseconds(10))
        held.hold("two", at: .microseconds(10_900))
        held.hold("three", at: .milliseconds(11))
        #expect(held.removeAll(before: .milliseconds(10)).isEmpty)
        #expect(held.removeAll(before: .microseconds(10_950)).isEmpty)
        #expect(held.removeAll(before: .milliseconds(11)) == ["one", "two"])
        #expect(held.removeAll(before: .milliseconds(11)).isEmpty)
        #expect(held.removeAll() == ["three"] && held.removeAll().isEmpty)
    }

    @Test(arguments: [
        (Duration.zero, "00:00:00.000"), (.milliseconds(-5), "00:00:00.000"), (.microseconds(1_999), "00:00:00.001"),
        (.milliseconds(86_399_999), "23:59:59.999"), (.seconds(86_400), "1d 00:00:00.000"),
    ])
    func timeIsFormattedAsOnAStopwatch(time: Duration, text: String) {
        #expect(time.stopwatchText == text)
    }
}
