import AccessoryModel
import Testing

/// Tests names that come from an accessory.
@Suite struct NameIndexTests {
    @Test func suggestionsForAMegabyteNameStaySmall() {
        let long = String(repeating: "a/", count: 500_000)
        var index = NameIndex()
        index.add(.accessory, "Lamp", keys: ["lamp"])
        index.add(.service, long, keys: NameIndex.keys([long]))
        for number in 0..<1_000 {
            index.add(.characteristic, "On \(number)", keys: ["on\(number)"])
        }
        index.add(.service, "Light", keys: ["light"])
        let last = index.add(.characteristic, "Brightness", keys: ["brightness"])
        #expect(index.texts(of: [.characteristic]) == ["Light/Brightness"])
        #expect(index.shortestTexts(of: .characteristic).compactMap(\.self) == ["Brightness"])
        #expect(index.match("on7", as: [.characteristic]) != .notFound)
        #expect(index.match("Brightness", as: [.characteristic]) == .unique(last))
        let remedy = NameSuggestions(of: index).remedy(for: "Brihtness", as: [.characteristic], emptyMessage: "")
        #expect(remedy == "Did you mean \"Brightness\"?")
    }
}
