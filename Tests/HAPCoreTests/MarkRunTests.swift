import HAPCore
import Testing

/// Texts whose combining marks take for ever to be put in order.
struct MarkRunTests {
    /// Marks, and what is compared as two of them though Unicode counts it as none.
    static let marks: [Unicode.Scalar] = [
        "\u{301}", "\u{5B0}", "\u{93C}", "\u{F73}", "\u{F75}", "\u{F81}", "\u{1D165}",
    ]

    @Test(arguments: marks)
    func aRunOfMarksThatIsLongIsFound(_ mark: Unicode.Scalar) {
        let run = String(String.UnicodeScalarView(repeatElement(mark, count: MarkRun.maximum)))
        #expect(!"a\(run)".hasLongRunOfMarks)
        #expect("a\(run)\(mark)b".hasLongRunOfMarks)
        #expect(!"a\(run)b\(run)".hasLongRunOfMarks)
    }

    @Test(arguments: ["", "Lamp", String(repeating: "é", count: 100), String(repeating: "ཀ", count: 100)])
    func whatPeopleWriteHasNone(_ text: String) {
        #expect(!text.hasLongRunOfMarks)
    }
}
