import Testing

@testable import hap

/// Lines of a home beside a scenario: after what caused them, and before what comes later.
@Suite struct HeldLinesTests {
    @Test func linesComeOutBeforeThoseOfALaterMillisecond() {
        let held = HeldLines()
        held.put("one", at: .milliseconds(10))
        held.put("two", at: .microseconds(10_900))
        held.put("three", at: .milliseconds(11))
        #expect(held.take(before: .milliseconds(10)).isEmpty)
        #expect(held.take(before: .microseconds(10_950)).isEmpty)
        #expect(held.take(before: .milliseconds(11)) == ["one", "two"])
        #expect(held.take(before: .milliseconds(11)).isEmpty)
        #expect(held.takeAll() == ["three"] && held.takeAll().isEmpty)
    }

    @Test(arguments: [
        (Duration.zero, "00:00:00.000"), (.milliseconds(-5), "00:00:00.000"), (.microseconds(1_999), "00:00:00.001"),
        (.milliseconds(86_399_999), "23:59:59.999"), (.seconds(86_400), "1d 00:00:00.000"),
    ])
    func aTimeIsAsAStopwatchShowsIt(time: Duration, text: String) {
        #expect(time.stopwatchText == text)
    }
}
