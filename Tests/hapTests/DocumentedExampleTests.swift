import Foundation
import Testing

/// The programs of `Tests/Consumer` that are copies of the examples in pages.
///
/// `HAP_WRITE_FIXTURES=1 swift test --filter DocumentedExampleTests` writes the copies.
struct DocumentedExampleTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test(arguments: [
        ("README.md", "Readme"),
        ("Sources/Controller/HAPController/HAPController.docc/ControllingAnAccessory.md", "Remote"),
    ])
    func firstExampleOfAPageIsAProgramThatIsBuilt(_ page: String, _ program: String) throws {
        let copy = Self.root.appending(path: "Tests/Consumer/Sources/\(program)/main.swift")
        let example = try Self.example("", in: page)
        if ProcessInfo.processInfo.environment["HAP_WRITE_FIXTURES"] != nil {
            try Data(example.utf8).write(to: copy)
        }
        #expect(try String(contentsOf: copy, encoding: .utf8) == example, "write it with make fixtures")
    }

    @Test func testInReadmeIsATestOfTheKilgoApp() throws {
        let tests = Self.root.appending(path: "Examples/KilgoApp/Tests/KilgoAppTests/ReadmeTests.swift")
        let example = try Self.example("## Test your app", in: "README.md")
        #expect(try String(contentsOf: tests, encoding: .utf8).hasSuffix(example), "copy it into \(tests.path)")
        #expect(example.split(separator: "\n").count <= 10)
    }

    /// Returns the first example after a heading.
    private static func example(_ heading: String, in page: String) throws -> String {
        let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
        let start = heading.isEmpty ? text.startIndex : try #require(text.firstRange(of: "\n\(heading)\n")).upperBound
        let begin = try #require(text[start...].firstRange(of: "\n```swift\n")).upperBound
        let end = try #require(text[begin...].firstRange(of: "\n```\n")).lowerBound
        return text[begin..<end] + "\n"
    }
}
