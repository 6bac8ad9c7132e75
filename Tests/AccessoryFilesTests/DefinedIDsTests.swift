import Documents
import Testing

@testable import AccessoryFiles

struct DefinedIDsTests {
    @Test(arguments: [false, true])
    func duplicateIDIsReportedUnlessItMayRepeat(mayRepeat: Bool) {
        var reader = DocumentReader()
        var ids = IDNumbering(after: 1, besides: [3], whole: "the whole", isVerbatim: false)
        let location = SourceLocation(file: "f")
        let given = [3, nil, nil, 3].map { ids.assign($0, at: location, mayRepeat: mayRepeat, &reader) }
        #expect(given == [3, 4, 5, 3])
        let message = "id 3 is also the id of the whole; change one of them"
        #expect(reader.diagnostics.ordered.map(\.reason) == (mayRepeat ? [] : [message]))
    }
}
