import AccessoryModel
import HAPCore
import HomeModel
import TestSupport
import Testing

/// Tests what a user's phrase refers to.
struct PhraseResolverTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let phrase: String
        let services: [String]
        let property: CharacteristicType?
        var testDescription: String { phrase }

        init(_ phrase: String, _ services: [String], _ property: CharacteristicType? = nil) {
            self.phrase = phrase
            self.services = services
            self.property = property
        }
    }

    static let lamps = ["Garage Light", "Living Room Lamp", "Bedroom Lamp", "Porch Lamp"]

    @Test(arguments: [
        Case("Garage Light", ["Garage Light"]), Case("the garage light", ["Garage Light"]),
        Case("GARAGELIGHT", ["Garage Light"]), Case("lights", lamps), Case("the lights", lamps),
        Case("all lamps", lamps), Case("Lightbulb", lamps),
        Case("Kilgo House", lamps + ["Garage Door", "Office Outlet"]),
        Case("Upstairs", ["Bedroom Lamp", "Office Outlet"]), Case("Upstairs lights", ["Bedroom Lamp"]),
        Case("the lights upstairs", ["Bedroom Lamp"]), Case("lamps in the living room", ["Living Room Lamp"]),
        Case("Reading Lamps", ["Living Room Lamp", "Bedroom Lamp"]), Case("Office", ["Office Outlet"]),
        Case("brighter", lamps, .brightness), Case("Upstairs brightness", ["Bedroom Lamp"], .brightness),
        Case("brightness of the bedroom", ["Bedroom Lamp"], .brightness),
        Case("Bedroom Lamp hue", ["Bedroom Lamp"], .hue), Case("Garage Door", ["Garage Door"]),
        Case("garage doors", ["Garage Door"]), Case("outlets", ["Office Outlet"]),
        Case("Garage Door/Current Door State", ["Garage Door"], .currentDoorState),
        Case("kilgo house reading lamps", ["Living Room Lamp", "Bedroom Lamp"]),
        Case("room garage", ["Garage Door", "Garage Light"]), Case("garage", ["Garage Door", "Garage Light"]),
        Case("default room", ["Porch Lamp"]),
    ])
    func servicesAreFoundByNameTypeRoomGroupAndProperty(_ meaning: Case) throws {
        var sample = try SampleHome()
        try sample.prepare()
        let match = try HomePhraseResolver.resolve(meaning.phrase, in: sample.home)
        guard case .services(let ids) = match.target else {
            Issue.record("\(match)")
            return
        }
        let home = try #require(sample.homes.home(match.home))
        #expect(Set(ids.map { home.service($0)?.name.text }) == Set(meaning.services))
        #expect(match.property == meaning.property)
    }

    @Test(arguments: [
        "Movie Time", "set Movie Time", "set the movietime", "run scene Movie Time", "Kilgo House Movie Time",
    ])
    func aSceneIsFoundByName(_ phrase: String) throws {
        var sample = try SampleHome()
        try sample.prepare()
        let match = try HomePhraseResolver.resolve(phrase, in: sample.home)
        #expect(match.target == .scene(try sample.home.scene(named: "Movie Time").id))
    }

    @Test
    func anAmbiguousPhraseIsRefusedWithItsMeanings() throws {
        var sample = try SampleHome()
        let lamp = try sample.service("Living Room Lamp").id
        try sample.edit { home throws(HomeError) in try home.renameService(lamp, to: ObjectName("Office")) }
        let error = #expect(throws: HomeError.self) { try HomePhraseResolver.resolve("office", in: try sample.home) }
        #expect(error?.code == .ambiguousName)
        #expect(error?.reason == "It may mean room Office, service Office.")
        #expect(error?.remedy == "Say which, such as room Office.")
        let room = try HomePhraseResolver.resolve("room office", in: try sample.home)
        #expect(room.target == .services([try sample.service("Office Outlet").id]))
        let service = try HomePhraseResolver.resolve("service office", in: try sample.home)
        #expect(service.target == .services([lamp]))
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
        // The longest name counts.
        #expect(try HomePhraseResolver.resolve(phrase, in: try sample.home).property == property)
        #expect(try HomePhraseResolver.resolve("hose \(phrase)", in: try sample.home).property == property)
        let corner = try sample.service("Corner Lamp").id
        #expect(try HomePhraseResolver.resolve("room \(room)", in: try sample.home).target == .services([corner]))
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
    func phrasesResolveQuicklyInAFullHome() throws {
        let full = try LimitTests.fullHome()
        for number in 1...20 {
            let match = try HomePhraseResolver.resolve("Zone \(number)", in: full)
            guard case .services(let services) = match.target else { throw MomentError(text: "\(match)") }
            #expect(services.count == HomeLimits.services)
        }
    }

    @Test(arguments: [
        ("Garage Lihgt", HomeError.Code.unknownObject), ("", .emptyPhrase), ("  ", .emptyPhrase), ("'", .emptyPhrase),
        ("upstairs garage door", .unknownObject), ("Movie Time brightness", .invalidValue), ("fans", .unknownObject),
        (String(repeating: "a ", count: 49), .phraseTooLong), (String(repeating: "a", count: 1_100), .phraseTooLong),
        (String(repeating: "office lights ", count: 12), .unknownObject), ("the", .unknownObject),
    ])
    func aPhraseWithoutMeaningIsRefused(_ phrase: String, code: HomeError.Code) throws {
        var sample = try SampleHome()
        try sample.prepare()
        let error = #expect(throws: HomeError.self) { try HomePhraseResolver.resolve(phrase, in: sample.home) }
        #expect(error?.code == code)
        #expect((error?.description.utf8.count ?? .max) < 500)
    }

    @Test
    func aTypingErrorGetsASuggestion() throws {
        let sample = try SampleHome()
        let error = #expect(throws: HomeError.self) {
            try HomePhraseResolver.resolve("Garage Lihgt", in: try sample.home)
        }
        #expect(error?.remedy.contains("Garage Light") == true)
        let room = #expect(throws: HomeError.self) { try sample.home.room(named: "Ofice") }
        #expect(room?.remedy == "Did you mean Office?")
        #expect(throws: HomeError.self) { try Phrase("lights off", in: Homes()) }
    }

    @Test(arguments: [
        ("Attic", "There is nothing in Attic that can be set."), ("Attic lights", "There is no Light Bulb in Attic."),
        ("Attic brightness", "There is nothing in Attic that can be set."), ("Atic", "This word is not known."),
    ])
    func anEmptyPlaceIsDistinguishedFromAMissingOne(phrase: String, reason: String) throws {
        var sample = try SampleHome()
        try sample.edit { home throws(HomeError) in _ = try home.addRoom(named: ObjectName("Attic")) }
        let home = try sample.home
        let error = #expect(throws: HomeError.self) { try HomePhraseResolver.resolve(phrase, in: home) }
        #expect(error?.reason == reason)
        #expect(error?.code == .unknownObject)
    }
}
