import Documents
import HomeModel
import Testing

@testable import Documents

/// Tests the time that a merge spends on many wrong names.
struct MergeCostTests {
    @Test
    func suggestionsStayWithinTheBudgetOfTheFile() throws {
        func name(_ number: Int) -> String { "The lamp above the long table in the hall \(number)" }
        var text = "home: House\naccessories:\n"
        for place in 0..<24 {
            text += "  - accessory: Box \(place)\n    services:\n"
            for number in 1...50 { text += "      Switch (\(number)): \(name(place * 50 + number))\n" }
        }
        // The names differ as much as a suggestion allows, so each comparison runs to its end.
        let wrong = (1...150).map { "The lamp above the long table in the xyzl \($0)" }
        text += "groups:\n  All: [\(wrong.joined(separator: ", "))]\n"
        let merge = try merged(text, into: Homes())
        let remedies = merge.errors.map(\.value.remedy)
        #expect(remedies.count == wrong.count)
        #expect(remedies.first == "Did you mean \(name(1))?")
        let suggested = remedies.count { $0.hasPrefix("Did you mean") }
        // The budget is enough for many of the names, but not for all of them.
        #expect((wrong.count / 5..<wrong.count).contains(suggested), "\(suggested)")
    }
}
