import AccessoryModel
import HAPCore
import HomeModel
import TestSupport
import Testing

/// Tests which services, properties, scenes and homes a text refers to.
struct DescriptionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let services: [String]
        let property: CharacteristicType?
        var testDescription: String { text }

        init(_ text: String, _ services: [String], _ property: CharacteristicType? = nil) {
            self.text = text
            self.services = services
            self.property = property
        }
    }

    static let lamps = ["Garage Light", "Living Room Lamp", "Bedroom Lamp", "Porch Lamp"]

    @Test(arguments: [
        Case("Garage Light", ["Garage Light"]), Case("the garage light", ["Garage Light"]),
        Case("GARAGELIGHT", ["Garage Light"]), Case("lights", lamps), Case("the lights", lamps),
        Case("all lamps", lamps), Case("Lightbulbs", lamps),
        Case("Kilgo House", lamps + ["Garage Door", "Office Outlet"]),
        Case("Upstairs", ["Bedroom Lamp", "Office Outlet"]), Case("Upstairs lights", ["Bedroom Lamp"]),
        Case("the lights upstairs", ["Bedroom Lamp"]), Case("lamps in the living room", ["Living Room Lamp"]),
        Case("Reading Lamps", ["Living Room Lamp", "Bedroom Lamp"]), Case("Office", ["Office Outlet"]),
        Case("brightness", lamps, .brightness), Case("Upstairs brightness", ["Bedroom Lamp"], .brightness),
        Case("brightness of the bedroom", ["Bedroom Lamp"], .brightness),
        Case("Bedroom Lamp hue", ["Bedroom Lamp"], .hue), Case("Garage Door", ["Garage Door"]),
        Case("garage doors", ["Garage Door"]), Case("outlets", ["Office Outlet"]),
        Case("Garage Door/Current Door State", ["Garage Door"], .currentDoorState),
        Case("kilgo house reading lamps", ["Living Room Lamp", "Bedroom Lamp"]),
        Case("room garage", ["Garage Door", "Garage Light"]), Case("garage", ["Garage Door", "Garage Light"]),
        Case("default room", ["Porch Lamp"]),
    ])
    func servicesAreFoundByNameTypeRoomGroupAndProperty(_ description: Case) throws {
        var sample = try SampleHome()
        try sample.prepare()
        let home = try sample.home
        let found = try home.services(describedBy: description.text).map(\.name.text)
        #expect(Set(found) == Set(description.services))
        if let property = description.property {
            let types = try home.selectors(describedBy: description.text).map(\.type)
            #expect(Set(types) == [property])
        }
    }

    @Test(arguments: [
        "Movie Time", "set Movie Time", "set the movietime", "run scene Movie Time", "Kilgo House Movie Time",
    ])
    func aSceneIsFoundByName(_ text: String) throws {
        var sample = try SampleHome()
        try sample.prepare()
        let phrase = try Phrase(text, in: sample.home)
        #expect(phrase.meaning == .scene(try sample.home.scene(named: "Movie Time").id))
    }

    @Test
    func anAmbiguousPhraseIsRefusedWithItsMeanings() throws {
        var sample = try SampleHome()
        let lamp = try sample.service("Living Room Lamp").id
        try sample.edit { home throws(HomeError) in try home.renameService(lamp, to: ObjectName("Office")) }
        let home = try sample.home
        let error = #expect(throws: HomeError.self) { try home.services(describedBy: "office") }
        #expect(error?.code == .ambiguousName)
        #expect(error?.reason == "It may mean room Office, service Office.")
        #expect(error?.remedy == "Say which, such as room Office.")
        #expect(try home.services(describedBy: "room office").map(\.name.text) == ["Office Outlet"])
        #expect(try home.services(describedBy: "service office").map(\.id) == [lamp])
    }

    @Test(arguments: [
        ("Duration", "set duration", CharacteristicType.setDuration),
        ("Use", "in use", .inUse),
    ])
    func aRoomNamedLikeAPropertyIsDistinguishedFromIt(
        _ room: String,
        phrase: String,
        property: CharacteristicType
    ) throws {
        var sample = try SampleHome()
        sample.rooms[room] = try sample.edit { home throws(HomeError) in try home.addRoom(named: ObjectName(room)) }
        let valve = RemoteAccessory(
            named: "Hose",
            services: [SampleHome.service(10, nil, .valve, [.active, .inUse, .setDuration])]
        )
        try sample.add(valve, in: "Garage", at: SampleHome.reference(30))
        try sample.add(SampleHome.lamp("Corner Lamp"), in: room, at: SampleHome.reference(31))
        let home = try sample.home
        // The longest name counts.
        for text in [phrase, "hose \(phrase)"] {
            #expect(try home.selectors(describedBy: text).map(\.type) == [property])
        }
        #expect(try home.services(describedBy: "room \(room)").map(\.name.text) == ["Corner Lamp"])
    }

    @Test(arguments: [
        ("turn off the Summer House lights", 1), ("turn off the lights in the Summer House", 1),
        ("are the lamps in the garage of Summer House on?", 1), ("turn off the lights", 4),
    ])
    func aPhraseIsReadForTheHomeThatItNames(_ text: String, count: Int) throws {
        var sample = try SampleHome()
        try sample.prepare()
        let phrase = try Phrase(text, in: sample.homes)
        #expect(phrase.home == (count == 1 ? sample.second : sample.id))
        let actions = try phrase.actions(in: #require(sample.homes.home(phrase.home)), values: [:])
        #expect(actions.count == (phrase.isQuestion ? 0 : count))
    }

    @Test(.timeLimit(.minutes(1)))
    func descriptionsAreReadQuicklyInAFullHome() throws {
        let full = try LimitTests.fullHome()
        for number in 1...20 {
            #expect(try full.services(describedBy: "Zone \(number)").count == HomeLimits.services)
        }
    }

    @Test(arguments: [
        ("Garage Lihgt", HomeError.Code.unknownObject), ("", .emptyPhrase), ("  ", .emptyPhrase), ("'", .emptyPhrase),
        ("upstairs garage door", .unknownObject), ("Movie Time brightness", .invalidValue), ("fans", .unknownObject),
        (String(repeating: "a ", count: 49), .phraseTooLong), (String(repeating: "a", count: 1_100), .phraseTooLong),
        (String(repeating: "office lights ", count: 12), .unknownObject), ("Bedroom Lamp 2", .unknownObject),
        ("two lamps", .unknownObject),
    ])
    func aPhraseWithoutMeaningIsRefused(_ text: String, code: HomeError.Code) throws {
        var sample = try SampleHome()
        try sample.prepare()
        let home = try sample.home
        let error = #expect(throws: HomeError.self) { try home.services(describedBy: text) }
        #expect(error?.code == code)
        #expect((error?.description.utf8.count ?? .max) < 500)
    }

    @Test
    func aTypingErrorGetsASuggestion() throws {
        let home = try SampleHome().home
        let error = #expect(throws: HomeError.self) { try Phrase("turn on Garage Lihgt", in: home) }
        #expect(error?.remedy.contains("Garage Light") == true)
        let room = #expect(throws: HomeError.self) { try home.room(named: "Ofice") }
        #expect(room?.remedy == "Did you mean Office?")
        #expect(throws: HomeError.self) { try Phrase("lights off", in: Homes()) }
    }

    @Test(arguments: [
        ("Attic", "There is nothing in Attic that can be set."), ("Attic lights", "There is no Light Bulb in Attic."),
        ("Attic brightness", "There is nothing in Attic that can be set."), ("Atic", "This word is not known."),
    ])
    func anEmptyPlaceIsDistinguishedFromAMissingOne(text: String, reason: String) throws {
        var sample = try SampleHome()
        try sample.edit { home throws(HomeError) in _ = try home.addRoom(named: ObjectName("Attic")) }
        let home = try sample.home
        let error = #expect(throws: HomeError.self) { try home.services(describedBy: text) }
        #expect(error?.reason == reason)
        #expect(error?.code == .unknownObject)
    }
}
