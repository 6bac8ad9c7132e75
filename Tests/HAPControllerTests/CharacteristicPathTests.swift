import AccessoryModel
import HAPCore
import Testing

@testable import HAPController

@Suite("The path of a characteristic") struct CharacteristicPathTests {
    @Test(
        "A characteristic is found by its number, or by its name with that of its service or accessory",
        arguments: [
            ("1.9", 1, 9), ("Target Door State", 1, 10), ("targetdoorstate", 1, 10), ("TARGET_DOOR-STATE", 1, 10),
            ("große tür/Current Door State", 1, 9), ("GarageDoorOpener/name", 1, 11),
            ("Garage Door Opener/Name", 1, 11), ("GarageDoorOpener.TargetDoorState", 1, 10),
            ("Brightness", 2, 10), ("A/C Light/on", 2, 9), ("Hall/A/C Light/On", 2, 9), ("Hall/on", 2, 9),
            ("Attic/Lightbulb/On", 3, 9), ("3/On", 3, 9), ("Fade Rate", 2, 11), ("faderate", 2, 11),
            ("7e536242-341c-4862-be90-272ce15bd633", 2, 11), ("32", 1, 10), ("the hall/on", 2, 9),
            ("A/C Lights/on", 2, 9),
        ] as [(String, UInt64, UInt64)]
    )
    func pathFindsTheCharacteristic(text: String, aid: UInt64, iid: UInt64) throws {
        #expect(try CharacteristicPath.resolve(text, in: Sample.home()).id == CharacteristicID(aid, iid))
    }

    @Test("An ambiguous path lists its matches")
    func ambiguousPathListsItsMatches() throws {
        let error = try #require(
            #expect(throws: ControllerError.self) { try CharacteristicPath.resolve("On", in: Sample.home()) }
        )
        #expect(error.code == .unknownCharacteristic)
        #expect(error.reason == "\"On\" matches 2 characteristics.")
        #expect(error.remedy == "Write one of these: Hall/A/C Light/On (2.9), Attic/Light Bulb/On (3.9).")
    }

    @Test("For a misspelled path, the characteristic is suggested")
    func misspelledPathSuggestsTheCharacteristic() throws {
        let error = #expect(throws: ControllerError.self) {
            try CharacteristicPath.resolve("Brigthness", in: Sample.home())
        }
        #expect(error?.remedy == "Did you mean \"Brightness\"?")
    }

    @Test(
        "For an unknown path, all characteristics are listed",
        arguments: ["xyzzy", "", "/", "1.", "99999999999999999999.1"]
    )
    func unknownPathListsAllCharacteristics(text: String) throws {
        let error = #expect(throws: ControllerError.self) { try CharacteristicPath.resolve(text, in: Sample.home()) }
        #expect(error?.remedy.contains("Brightness, Current Door State, Fade Rate") == true)
    }

    @Test("For an unknown name after a known one, its parts are listed")
    func partsOfAKnownOwnerAreListed() throws {
        let error = #expect(throws: ControllerError.self) {
            try CharacteristicPath.resolve("A/C Light/Glow", in: Sample.home())
        }
        #expect(error?.remedy == "There are: A/C Light/Brightness, A/C Light/Fade Rate, A/C Light/Name, A/C Light/On.")
        let short = #expect(throws: ControllerError.self) {
            try CharacteristicPath.resolve("A/C Light/Fade", in: Sample.home())
        }
        #expect(short?.remedy == "Did you mean \"A/C Light/Fade Rate\"?")
    }

    @Test("Accessories of one name are numbered, as in scenarios")
    func accessoriesOfOneNameAreNumbered() throws {
        let body = """
            [{"aid": 2, "services": [{"iid": 1, "type": "3E", "characteristics": [{"iid": 2, "type": "23", "value": "Lamp"}]},
              {"iid": 3, "type": "43", "characteristics": [{"iid": 4, "type": "25"}]}]},
             {"aid": 3, "services": [{"iid": 1, "type": "3E", "characteristics": [{"iid": 2, "type": "23", "value": "Lamp"}]},
              {"iid": 3, "type": "43", "characteristics": [{"iid": 4, "type": "25"}]}]}]
            """
        let lamps = try RemoteDatabase.read(Array(body.utf8))
        #expect(try CharacteristicPath.resolve("Lamp 1/On", in: lamps).id == CharacteristicID(2, 4))
        #expect(try CharacteristicPath.resolve("lamp 2/on", in: lamps).id == CharacteristicID(3, 4))
        let texts = CharacteristicPath.texts(in: lamps).filter { $0.hasSuffix("On") }
        #expect(texts == ["Lamp 1/Light Bulb/On", "Lamp 2/Light Bulb/On"])
        #expect(throws: ControllerError.self) { try CharacteristicPath.resolve("Lamp/On", in: lamps) }
    }

    @Test("An unknown number is not found")
    func unknownNumberIsNotFound() throws {
        let error = #expect(throws: ControllerError.self) { try CharacteristicPath.resolve("7.1", in: Sample.home()) }
        #expect(error?.reason == "There is no characteristic 7.1.")
        #expect(throws: ControllerError.self) { try CharacteristicPath.resolve("On", in: []) }
    }

    @Test("The shortest name of a characteristic finds it again")
    func shortestNameFindsTheCharacteristicAgain() throws {
        let home = try Sample.home()
        let all = CharacteristicPath.all(in: home)
        #expect(all.count == 11)
        let texts = CharacteristicPath.texts(in: home)
        for (found, text) in zip(all, texts) {
            #expect(try CharacteristicPath.resolve(text, in: home).id == found.id)
        }
        #expect(
            texts == [
                "Home/Accessory Information/Name", "Current Door State", "Target Door State", "Große Tür/Name",
                "Hall/Accessory Information/Name", "A/C Light/On", "Brightness", "Fade Rate", "A/C Light/Name",
                "Attic/Accessory Information/Name", "Attic/Light Bulb/On",
            ]
        )
    }

    @Test("Services of one name are numbered")
    func servicesOfOneNameAreNumbered() throws {
        let body = """
            [{"aid": 1, "services": [{"iid": 1, "type": "47", "characteristics": [{"iid": 2, "type": "25"}]},
              {"iid": 3, "type": "47", "characteristics": [{"iid": 4, "type": "25"}]}]}]
            """
        let twins = try RemoteDatabase.read(Array(body.utf8))
        #expect(CharacteristicPath.texts(in: twins) == ["Outlet 1/On", "Outlet 2/On"])
    }

    @Test("Names contain no terminal control characters")
    func namesContainNoTerminalControls() throws {
        let error = #expect(throws: ControllerError.self) {
            try CharacteristicPath.resolve("\u{1B}[2J", in: Sample.home())
        }
        #expect(error?.reason.contains("\u{1B}") == false)
    }
}
