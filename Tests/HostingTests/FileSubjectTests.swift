import Hosting
import Testing

struct FileSubjectTests {
    @Test(
        arguments: [
            ("home: home.yaml\n", .configuration), ("scenario: day.yaml\n", .configuration),
            ("home: \"my home.yml\" # of mine\n", .configuration), ("{\"home\": \"home.JSON\"}", .configuration),
            ("home: home.yaml\nscenario: day.yaml\nseed: 4\n", .configuration),
            ("# *\nhome: home.yaml\nprot: 1\n", .configuration), ("port: 1\nhome: House\n", .configuration),
            ("home: home.yaml\nrooms: [Hall]\n", .home), ("home: home.yaml\naccessories: []\n", .home),
            ("home: House\n", .home), ("home: yaml\n", .home), ("homes: [a.yaml]\n", .home),
            ("home: { name: a.yaml }\n", .home),
            ("scenario: A day\n", .scenario), ("scenario: A day\nhome: home.yaml\n", .scenario),
            ("scenario: day.yaml\nsteps: []\n", .scenario), ("home: home.yaml\nsteps: []\n", .scenario),
            ("accessory: lamp.yaml\n", .accessory), ("accessories: ./files\n", .configuration),
            ("accessories: ./files\nhome: home.yaml\n", .configuration),
        ] as [(String, FileSubject)]
    )
    func fileKindIsDetectedByItsTopLevel(_ text: String, _ subject: FileSubject) {
        #expect(FileSubject(Array(text.utf8), path: "file.yaml") == subject)
    }

    /// Each alias doubles the content of the previous one, and all of it is a key.
    @Test func aliasesThatExpandTooMuchAreNotFollowed() {
        let lists = (1...40).map { ", &a\($0) [*a\($0 - 1), *a\($0 - 1)]" }.joined()
        let text = "home: home.yaml\n? [&a0 [x, x]\(lists)]\n: 1\n"
        #expect(FileSubject(Array(text.utf8), path: "file.yaml") == .configuration)
    }
}
