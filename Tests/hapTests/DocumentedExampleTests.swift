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
        let text = try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
        let begin = try #require(text.firstRange(of: "\n```swift\n")).upperBound
        let end = try #require(text[begin...].firstRange(of: "\n```\n")).lowerBound
        let example = text[begin..<end] + "\n"
        if ProcessInfo.processInfo.environment["HAP_WRITE_FIXTURES"] != nil {
            try Data(example.utf8).write(to: copy)
        }
        #expect(try String(contentsOf: copy, encoding: .utf8) == example, "write it with make fixtures")
    }
}
