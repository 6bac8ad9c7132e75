import AccessoryFiles
import Documents
import HAPCore
import HomeModel
import Testing

/// Tests that edits of homes keep the style of the file: flow style, JSON, line ends and quotes.
struct HomeEditingStyleTests {
    private func edited(_ text: String, home: String? = nil, _ edit: (inout Home) throws -> Void) throws -> String {
        try EditedHomeFile(text, home: home).edited(edit)
    }

    // MARK: YAML

    @Test
    func flowStyleIsKept() throws {
        let text = """
            { home: House, rooms: [ Kids' Room, "Hall" ], zones: { Up: [Hall], Down: [] }, # both
              accessories: [ Lamp, { accessory: Fan, definition: fan.yaml } ] }

            """
        #expect(
            try edited(text) { home in
                try home.renameRoom(home.rooms[0].id, to: ObjectName("Nursery"))
                _ = try home.addZone(named: ObjectName("All"), rooms: [home.rooms[1].id])
                try home.moveAccessory(home.accessories[1].id, to: home.rooms[1].id)
            } == """
                { home: House, rooms: [ Nursery, "Hall" ], zones: { Up: [Hall], Down: [], All: [Hall] }, # both
                  accessories: [ Lamp, { accessory: Fan, room: Hall, definition: fan.yaml } ] }

                """
        )
        #expect(
            try edited(text) { home in
                try home.removeZone(home.zones[0].id)
                try home.removeAccessory(home.accessories[1].id)
                try home.removeRoom(home.rooms[1].id)
                home.setTimeZone("Europe/Berlin")
            } == """
                { home: House, timeZone: Europe/Berlin, rooms: [ Kids' Room ], zones: { Down: [] }, # both
                  accessories: [ Lamp ] }

                """
        )
    }

    @Test
    func flowStyleOverSeveralLinesIsKept() throws {
        let text = """
            home: House
            rooms: [
              Hall,   # first
              Attic
            ]   # all
            zones: {
              Up: [Attic],
              Down: [Hall]
            }
            """
        #expect(
            try edited(text) { home in
                let room = try home.addRoom(named: ObjectName("Cellar"))
                _ = try home.addZone(named: ObjectName("Below"), rooms: [room])
                try home.removeZone(home.zones[0].id)
            } == """
                home: House
                rooms: [
                  Hall,   # first
                  Attic,
                  Cellar
                ]   # all
                zones: {
                  Down: [Hall],
                  Below: [Cellar]
                }
                """
        )
    }

    @Test(arguments: ["scenes: {}", "scenes: { }  # none yet", "scenes: {\n  }", "scenes:   {} # none yet"])
    func anEmptyMapBecomesABlock(scenes: String) throws {
        let text = "home: House\n\(scenes)\nrooms: [Hall]\n"
        let changed = try edited(text) { _ = try $0.addScene(named: ObjectName("Night")) }
        #expect(changed.contains("\n  Night: []\nrooms: [Hall]\n"))
        #expect(changed.contains("# none yet") == text.contains("# none yet"))
    }

    @Test
    func listWithoutIndentationIsKept() throws {
        let text = """
            home: House
            rooms:
            - Hall
            # upstairs
            - Attic
            accessories:
            - accessory: Lamp
              room: Hall
            """
        #expect(
            try edited(text) { home in
                let room = try home.addRoom(named: ObjectName("Cellar"))
                try home.removeRoom(home.rooms[1].id)
                try home.moveAccessory(home.accessories[0].id, to: room)
            } == """
                home: House
                rooms:
                - Hall
                - Cellar
                accessories:
                - accessory: Lamp
                  room: Cellar
                """
        )
    }

    @Test
    func deepIndentationIsKept() throws {
        let text = "home: House\nzones:\n        Up: []\nrooms:\n      -   Hall\n"
        #expect(
            try edited(text) { home in
                let room = try home.addRoom(named: ObjectName("Attic"))
                _ = try home.addZone(named: ObjectName("Down"), rooms: [room])
            } == "home: House\nzones:\n        Up: []\n        Down: [Attic]\nrooms:\n      -   Hall\n      - Attic\n"
        )
    }

    @Test
    func anchorsAndAliasesElsewhereAreKept() throws {
        let text = """
            home: House
            rooms: &all [Hall, Attic] # both
            zones:
              Up: *all
              # the same
              Down: *all

            """
        #expect(
            try edited(text) { try $0.removeRoom($0.rooms[1].id, from: $0.zones[1].id) }
                == text.replacing("Down: *all", with: "Down: [Hall]")
        )
        // The anchor goes away with the list that is written again, so its aliases become lists, too.
        let changed = try edited(text) { home in
            for room in home.rooms { try home.removeRoom(room.id) }
        }
        #expect(changed.contains("rooms: []") && changed.contains("  Up: []") && changed.contains("  # the same"))
    }

    @Test
    func removedAnchorIsReplacedByItsContent() throws {
        let text = """
            # The heading stays.
            "$schema": home.schema.json
            home: House
            rooms: [Hall]
            zones: { Up: &up [Hall], Down: *up }
            accessories: [{ accessory: Lamp, definition: lamp.yaml }]

            """
        let changed = try edited(text) { try $0.removeZone($0.zones[0].id) }
        let expected = text.replacing("Up: &up [Hall], Down: *up", with: "Down: [Hall]")
        #expect(changed == expected)
    }

    @Test
    func valuesOfSeveralLinesAreReplacedAsAWhole() throws {
        let text =
            "home: House\ntimeZone:\n  Europe/Berlin   # here\nplace:\n  latitude: 1\n  # of the door\n  longitude: 2\nrooms: []\n"
        #expect(
            try edited(text) { home in
                home.setTimeZone("Europe/Paris")
                home.setPlace(GeographicPlace(latitude: 3, longitude: 4))
            } == "home: House\ntimeZone: Europe/Paris\nplace: { latitude: 3, longitude: 4 }\nrooms: []\n"
        )
        let folded = "home: >-\n  My\n  House\nrooms: [\n  'Living\n  Room'\n  ]\n"
        #expect(
            try edited(folded) { home in try home.renameRoom(home.rooms[0].id, to: ObjectName("Hall")) }
                == "home: >-\n  My\n  House\nrooms: [\n  Hall\n  ]\n"
        )
    }

    @Test(arguments: ["Yes", "1", "null", "Zoë", "東京", "Kids' Room", "0x1F", "1e3", "True"])
    func namesAreQuotedIfNecessary(text: String) throws {
        let name = try ObjectName(text)
        for file in [
            "home: House\nrooms: [Hall]\nzones:\n  Up: [Hall]\n",
            #"{"home":"House","rooms":["Hall"],"zones":{"Up":["Hall"]}}"#,
        ] {
            let changed = try edited(file) { home in
                try home.renameRoom(home.rooms[0].id, to: name)
                _ = try home.addZone(named: ObjectName("A \(text) B"))
            }
            #expect(try EditedHomeFile(changed).old.rooms.map(\.name) == [name])
        }
    }

    @Test(arguments: ["a: b", "#x", "- y", "[z]", "*w", "Yes", "1", #"say "hi""#, "東京 {"])
    func accessoriesKeepTheNamesOfTheirDefinitions(text: String) throws {
        let quoted = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let file = "home: House\naccessories:\n  - \"\(quoted)\"  # as announced\n"
        let changed = try edited(file) { try $0.renameAccessory($0.accessories[0].id, to: ObjectName("Lamp")) }
        #expect(changed.hasSuffix("  # as announced\n    name: Lamp\n"))
        let document = try HomeFile.read(Array(changed.utf8), name: "home.yaml")
        #expect(document.homes[0].accessories[0].accessory.value == text)
    }

    @Test
    func tabsAreErrors() throws {
        let home = try EditedHomeFile("home: House\n").old
        #expect(throws: DocumentError.self) {
            try HomeFile.text(Array("home: House\nzones:\n\tUp: []\n".utf8), name: "h", changing: home, to: home)
        }
        let text = "home:\tHouse\nrooms:\t[Hall]\t# one\n"
        #expect(
            try edited(text) { _ = try $0.addRoom(named: ObjectName("Attic")) }
                == "home:\tHouse\nrooms:\t[Hall, Attic]\t# one\n"
        )
    }

    @Test
    func lineEndsAreKept() throws {
        let text = "home: House # a\r\n\r\nrooms: # b\r\n  - Hall\r\n# c\r\n"
        #expect(
            try edited(text) { home in
                let room = try home.addRoom(named: ObjectName("Attic"))
                _ = try home.addZone(named: ObjectName("Up"), rooms: [room])
            } == "home: House # a\r\n\r\nrooms: # b\r\n  - Hall\r\n  - Attic\r\n\r\nzones:\r\n  Up: [Attic]\r\n# c\r\n"
        )
    }

    @Test
    func aMissingLastLineEndIsNotAdded() throws {
        #expect(
            try edited("home: House\nrooms:\n  - Hall") { home in
                _ = try home.addRoom(named: ObjectName("Attic"))
                _ = try home.addScene(named: ObjectName("Night"))
            } == "home: House\nrooms:\n  - Hall\n  - Attic\nscenes:\n  Night: []"
        )
        #expect(
            try edited("home: House\nrooms: [A, B]\nzones:\n  Up: [A]\n  Down: [B]") { home in
                try home.removeZone(home.zones[1].id)
            } == "home: House\nrooms: [A, B]\nzones:\n  Up: [A]"
        )
    }

    @Test
    func byteOrderMarkAndDocumentMarksAreKept() throws {
        let text = "\u{FEFF}---\nhome: House\nrooms:\n  - Hall\n...\n"
        #expect(
            try edited(text) { _ = try $0.addRoom(named: ObjectName("Attic")) }
                == "\u{FEFF}---\nhome: House\nrooms:\n  - Hall\n  - Attic\n...\n"
        )
    }

    // MARK: Several homes

    private static let two = """
        homes:
          # Where we live.
          - home: House
            primary: true
            rooms: [Hall]

          # Where we are in summer.
          - home: Cottage   # by the lake
            rooms:
              - Porch # to the west
            zones: {}
        """

    @Test
    func otherHomesOfTheFileAreKept() throws {
        #expect(
            try edited(Self.two, home: "Cottage") { home in
                let room = try home.addRoom(named: ObjectName("Attic"))
                _ = try home.addZone(named: ObjectName("Up"), rooms: [room])
                _ = try home.addScene(named: ObjectName("Sun"))
            }
                == Self.two.replacing(
                    "# to the west\n    zones: {}",
                    with: "# to the west\n      - Attic\n    zones:\n      Up: [Attic]\n    scenes:\n      Sun: []"
                )
        )
        #expect(
            try edited(Self.two, home: "House") { home in
                try home.removeRoom(home.rooms[0].id)
                _ = try home.addScene(named: ObjectName("Sun"))
            } == Self.two.replacing("    rooms: [Hall]\n", with: "    rooms: []\n    scenes:\n      Sun: []\n")
        )
    }

    @Test
    func homeOfAListIsRenamed() throws {
        let file = try EditedHomeFile(Self.two, home: "Cottage")
        var homes = file.homes
        try homes.renameHome(file.old.id, to: ObjectName("Boat"))
        #expect(
            try file.edited(to: #require(homes.home(file.old.id)))
                == Self.two.replacing("home: Cottage   #", with: "home: Boat   #")
        )
    }

    // MARK: JSON

    private static let json = """
        {
            "$schema": "home.schema.json",
            "home": "House",
            "rooms": ["Hall",   "Attic"],
            "accessories": [
                {"accessory": "Lamp", "definition": "lamp.yaml"},
                "Fan"
            ],
            "zones": {
                "Up": [ "Attic" ]
            }
        }

        """

    @Test
    func jsonIsEditedInPlace() throws {
        #expect(
            try edited(Self.json) { home in
                let room = try home.addRoom(named: ObjectName("Cellar"))
                try home.renameAccessory(home.accessories[0].id, to: ObjectName("Big Lamp"))
                try home.moveAccessory(home.accessories[1].id, to: room)
                _ = try home.addZone(named: ObjectName("Down"), rooms: [room])
                _ = try home.addScene(named: ObjectName("Night"))
            } == """
                {
                    "$schema": "home.schema.json",
                    "home": "House",
                    "rooms": ["Hall",   "Attic", "Cellar"],
                    "accessories": [
                        {"accessory": "Lamp", "name": "Big Lamp", "definition": "lamp.yaml"},
                        {
                          "accessory": "Fan",
                          "room": "Cellar"
                        }
                    ],
                    "zones": {
                        "Up": [ "Attic" ],
                        "Down": ["Cellar"]
                    },
                    "scenes": {
                      "Night": []
                    }
                }

                """
        )
        #expect(
            try edited(Self.json) { home in
                try home.removeZone(home.zones[0].id)
                try home.removeAccessory(home.accessories[0].id)
            } == """
                {
                    "$schema": "home.schema.json",
                    "home": "House",
                    "rooms": ["Hall",   "Attic"],
                    "accessories": [
                        "Fan"
                    ],
                    "zones": {}
                }

                """
        )
    }

    @Test
    func jsonOnOneLineStaysOnOneLine() throws {
        #expect(
            try edited(#"{"home":"Häuser","rooms":["Büro","Küche"],"zones":{"Zoé":["Büro"]}}"#) { home in
                try home.renameRoom(home.rooms[1].id, to: ObjectName("Bad"))
                try home.addRoom(home.rooms[1].id, to: home.zones[0].id)
            } == #"{"home":"Häuser","rooms":["Büro","Bad"],"zones":{"Zoé":["Büro", "Bad"]}}"#
        )
    }
}
