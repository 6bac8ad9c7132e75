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

    private static func garage(_ services: String...) -> NameIndex {
        var index = NameIndex()
        index.add(.accessory, "Kilgo Garage", keys: [NameIndex.key("Kilgo Garage")])
        for service in services {
            index.add(.service, service, keys: [NameIndex.key(service)])
            index.add(.characteristic, "Brightness", keys: ["brightness"])
        }
        return index
    }

    @Test(arguments: [
        "Garage Light", "the garage light", "Garage Lights", "The Garage Lights", "the kilgo garage/the garage light",
        "Kilgo Garages/garage light", "Garage-Light's",
    ])
    func aNameIsFoundAsPeopleTypeIt(_ text: String) {
        let index = Self.garage("Garage Light", "Kids\u{2019} Lamps")
        #expect(index.match(text, as: [.service]) == .unique(1))
        #expect(index.match(text + "/Brightness", as: [.characteristic]) == .unique(2))
        #expect(index.match("the kids lamp.brightness", as: [.characteristic]) == .unique(4))
    }

    @Test func anExactNameHasPriority() {
        let index = Self.garage("Light", "Lights", "The Light")
        #expect(index.match("light", as: [.service]) == .unique(1))
        #expect(index.match("Lights", as: [.service]) == .unique(3))
        #expect(index.match("the light", as: [.service]) == .unique(5))
        #expect(index.match("the lights", as: [.service]) == .unique(3))
    }

    @Test(arguments: ["Brightnes", "Light/Brightnes", "the", "the ", "", "s", "es", "/", "the /the ", "a/b/c/d/e"])
    func aMisspellingIsNotAForm(_ text: String) {
        #expect(Self.garage("Light").match(text, as: [.characteristic]) == .notFound)
    }

    /// The number of a name is changed only within a word, and never that of an existing object.
    @Test(arguments: [
        "Kid/Brightness", "Kid's/Brightness", "Lamp/Brightness", "Lamp 5/Brightness", "Fo/Brightness", "A/Brightness",
    ])
    func anotherObjectIsNotChosen(_ text: String) {
        var index = NameIndex()
        index.add(.accessory, "Kilgo Garage", keys: [NameIndex.key("Kilgo Garage")])
        index.add(.service, "Kid", keys: ["kid"])
        index.add(.characteristic, "On", keys: ["on"])
        for service in ["Kids", "Lamp S", "Lamp 5S", "Fos", "As"] {
            index.add(.service, service, keys: [NameIndex.key(service)])
            index.add(.characteristic, "Brightness", keys: ["brightness"])
        }
        #expect(index.match(text, as: [.characteristic]) == .notFound)
    }

    @Test func severalFormsAreAmbiguous() {
        let index = Self.garage("Glass", "Glasse", "Box")
        #expect(index.match("Glasses", as: [.service]) == .ambiguous([1, 3]))
        #expect(index.match("Boxes", as: [.service]) == .unique(5))
    }

    @Test(arguments: [
        ("light", "lights"), ("switch", "switches"), ("bath", "baths"), ("battery", "batteries"), ("box", "boxes"),
        ("bus", "buses"), ("tray", "trays"),
    ])
    func aPluralIsFormedAsInEnglish(_ noun: String, _ plural: String) {
        #expect(SpokenName.plural(of: noun) == plural)
        #expect(SpokenName.singulars(of: plural).contains(noun))
    }
}
