import HAPCore
import Testing

struct PercentEncodedTests {
    @Test(arguments: [
        ("Kilgo-Garage 2", "Kilgo%2dGarage%202"), ("é/%", "%c3%a9%2f%25"), ("", ""), ("az09AZ", "az09AZ"),
    ])
    func textIsAPartOfAPath(text: String, encoded: String) {
        #expect(text.percentEncoded == encoded)
    }

    @Test func keptCharactersStay() {
        #expect("/a-b.c d".percentEncoded(keeping: "/.-") == "/a-b.c%20d")
    }
}
