import HomeModel
import Testing

@testable import Documents

/// What a merge does for many wrong names.
struct MergeCostTests {
    @Test
    func suggestionsStayWithinTheBudgetOfTheFile() throws {
        func name(_ number: Int) -> String { "The lamp above the long table in the hall \(number)" }
        var text = "home: House\naccessories:\n"
        for place in 0..<24 {
            text += "  - accessory: Box \(place)\n    services:\n"
            for number in 1...50 { text += "      Switch (\(number)): \(name(place * 50 + number))\n" }
        }
        // As far as a name may be, so that each comparison goes to the end.
        let wrong = (1...150).map { "The lamp above the long table in the wxyz \($0)" }
        text += "groups:\n  All: [\(wrong.joined(separator: ", "))]\n"
        let merge = try merged(text, into: Homes())
        let remedies = merge.errors.map(\.value.remedy)
        #expect(remedies.count == wrong.count)
        #expect(remedies.first == "Did you mean \(name(1))?")
        let suggested = remedies.count { $0.hasPrefix("Did you mean") }
        // The budget suffices for a good part of the names, and not for all of them.
        #expect((wrong.count / 5..<wrong.count).contains(suggested), "\(suggested)")
    }
}
