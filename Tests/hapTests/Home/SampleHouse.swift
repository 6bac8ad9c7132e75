import AccessoryFiles
import Documents
import HAPCore
import HomeModel
import Testing

/// The house of ``HomeFixture``, as a value.
enum SampleHouse {
    /// Returns the house, with `more` appended to its file.
    static func home(_ more: String = "") throws -> Home {
        let document = try HomeFile.read(Array((HomeFixture.file + more).utf8), name: "home.yaml")
        let merge = HomeMerge(document, into: Homes(), known: [])
        #expect(merge.errors.isEmpty, "\(merge.errors.map(\.value.description))")
        return try #require(merge.homes.primaryHome)
    }
}
