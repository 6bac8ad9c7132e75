import AccessoryFiles
import AccessoryModel
import Documents
import HAPCore
import HomeModel
import TestSupport
import Testing

/// Tests that edits of accessories and their services change only the lines of a home file that they concern.
struct AccessoryEditingTests {
    private let file: EditedHomeFile

    init() throws {
        file = try EditedHomeFile(EditedHomeFile.commentedText)
    }

    @Test
    func renamedAccessoryKeepsItsDefinition() throws {
        #expect(
            try file.changes { try $0.renameAccessory($0.accessories[0].id, to: ObjectName("Big Lamp")) } == [
                "+    name: Big Lamp"
            ]
        )
        let text = try file.edited { try $0.renameAccessory($0.accessories[0].id, to: ObjectName("Big Lamp")) }
        #expect(text.contains("  - accessory: Lamp\n    name: Big Lamp\n    definition: lamp.yaml # relative\n"))
        #expect(
            try EditedHomeFile(text).edited { try $0.renameAccessory($0.accessories[0].id, to: ObjectName("Lamp")) }
                .contains("    name: Lamp\n")
        )
    }

    @Test
    func accessoryThatIsOnlyANameBecomesAMap() throws {
        #expect(
            try file.changes { try $0.moveAccessory($0.accessories[1].id, to: $0.rooms[2].id) } == [
                "-  - Spare Lamp    # not connected", "+  - accessory: Spare Lamp    # not connected",
                "+    room: Attic",
            ]
        )
    }

    @Test
    func accessoryMovesToNoRoom() throws {
        #expect(try file.changes { try $0.moveAccessory($0.accessories[0].id, to: .entireHome) } == ["-    room: Hall"])
    }

    @Test
    func servicesAreRenamedAndMoved() throws {
        let service = { (home: Home, name: String) in try home.service(named: name).id }
        #expect(
            try file.changes { try $0.moveService(service($0, "Table Lamp"), to: $0.rooms[0].id) } == [
                "-      Lightbulb: Table Lamp", "+      Lightbulb: { name: Table Lamp, room: Garage }",
            ]
        )
        let renamed = try file.changes { try $0.renameService(service($0, "Door Light"), to: ObjectName("On")) }
        #expect(
            renamed == [
                "-    services: { GarageDoorOpener: Big Door, Lightbulb: Door Light }",
                "-      - { set: Door Light/On, to: true }   # then the door",
                #"+    services: { GarageDoorOpener: Big Door, Lightbulb: "On" }"#,
                "+      - { set: On/On, to: true }   # then the door",
            ]
        )
    }

    @Test
    func removedAccessoryIsRemovedWithItsCommentAndItsReferences() throws {
        let text = try file.edited { try $0.removeAccessory($0.accessories[0].id) }
        #expect(!text.contains("Bought in 2019") && !text.contains("Table Lamp") && !text.contains("lamp.yaml"))
        #expect(text.contains("accessories:\n  - Spare Lamp    # not connected\n"))
        #expect(!text.contains("Evening:"))
        #expect(text.contains("    run:\n      - { set: Door Light/On, to: true }   # then the door\n# The end.\n"))
    }

    @Test
    func newAccessoryIsTheLastOne() throws {
        let text =
            try file
            .edited { home in
                let fan = RemoteAccessory(
                    named: "Fan",
                    services: [
                        RemoteService(named: nil, .fan, iid: 2, characteristics: [RemoteCharacteristic(iid: 3, .on)])
                    ]
                )
                let placement = AccessoryPlacement(room: home.rooms[2].id)
                _ = try home.addAccessory(fan, placed: placement)
            }
        #expect(
            file.changes(in: text) == [
                "+  - accessory: Fan", "+    room: Attic", "+    services:", "+      Fan: Fan",
            ]
        )
        #expect(text.contains("      Fan: Fan\n# Last comment of the accessories.\n"))
    }

    @Test
    func serviceThatTheFileDoesNotNameIsAdded() throws {
        let file = try EditedHomeFile(
            """
            home: House
            accessories:
              - accessory: Mood Light
                definition: ../Accessories/color-light.yaml
              - accessory: Coffee Machine # kitchen
            """,
            known: KilgoHomeTests.gallery
        )
        let text = try file.edited { home in
            try home.renameService(
                home.accessories[0].services.first(where: \.isVisible)?.id ?? ObjectID(0),
                to: ObjectName("Glow")
            )
            try home.setAssociatedType(
                .fan,
                of: home.accessories[1].services.first(where: \.isVisible)?.id ?? ObjectID(0)
            )
        }
        #expect(
            text == """
                home: House
                accessories:
                  - accessory: Mood Light
                    definition: ../Accessories/color-light.yaml
                    services:
                      Lightbulb: Glow
                  - accessory: Coffee Machine # kitchen
                    services:
                      Outlet: { as: Fan }
                """
        )
    }

    @Test
    func serviceThatTheFileNamesByItsNameGetsItsType() throws {
        let file = try EditedHomeFile(
            """
            home: House
            rooms: [Hall]
            accessories:
              - accessory: Mood Light
                services: { Mood Light: { room: Hall } } # by name
            """,
            known: KilgoHomeTests.gallery
        )
        let service = try file.old.service(named: "Mood Light").id
        #expect(
            try file.edited { try $0.renameService(service, to: ObjectName("Glow")) }
                .hasSuffix("    services: { Lightbulb: { room: Hall, name: Glow } } # by name")
        )
        #expect(
            try file.edited { try $0.moveService(service, to: nil) }
                .hasSuffix("  - accessory: Mood Light")
        )
    }
}
