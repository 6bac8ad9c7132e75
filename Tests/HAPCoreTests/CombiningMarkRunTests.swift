import HAPCore
import Testing

/// Texts whose combining marks would take very long to sort.
struct CombiningMarkRunTests {
    /// Combining marks, including three whose combining class is 0, but which are compared as two marks each.
    static let marks: [Unicode.Scalar] = [
        "\u{301}", "\u{5B0}", "\u{93C}", "\u{F73}", "\u{F75}", "\u{F81}", "\u{1D165}",
    ]

    @Test(arguments: marks)
    func longRunOfCombiningMarksIsFound(_ mark: Unicode.Scalar) {
        let run = String(String.UnicodeScalarView(repeatElement(mark, count: CombiningMarkRun.maximumLength)))
        #expect(!"a\(run)".hasLongCombiningMarkRun)
        #expect("a\(run)\(mark)b".hasLongCombiningMarkRun)
        #expect(!"a\(run)b\(run)".hasLongCombiningMarkRun)
    }

    @Test(arguments: ["", "Lamp", String(repeating: "é", count: 100), String(repeating: "ཀ", count: 100)])
    func ordinaryTextHasNoLongRun(_ text: String) {
        #expect(!text.hasLongCombiningMarkRun)
    }
}
