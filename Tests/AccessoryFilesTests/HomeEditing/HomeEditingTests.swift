import AccessoryFiles
import AccessoryModel
import Documents
import Foundation
import HAPCore
import HomeModel
import TestSupport
import Testing

/// Tests that an edit of a home changes only the lines of its file that it concerns.
struct HomeEditingTests {
    private let file: EditedHomeFile

    init() throws {
        file = try EditedHomeFile(EditedHomeFile.commentedText)
    }

    @Test
    func anEditThatChangesNothingReturnsTheSameText() throws {
        #expect(try file.edited { _ in } == file.text)
        #expect(
            try file.edited { home in
                try home.setPresence(nil, of: home.addUser(named: ObjectName("Ada"), role: .owner))
            } != file.text
        )
    }

    @Test
    func homeIsRenamedWithItsCommentKept() throws {
        var homes = Homes(homes: [file.old], primary: file.old.id)
        try homes.renameHome(file.old.id, to: ObjectName("Cottage"))
        let text = try file.edited(to: homes.homes[0])
        #expect(
            file.changes(in: text) == [
                "-home: House   # her name for it", "+home: Cottage   # her name for it",
            ]
        )
    }

    @Test
    func timeZoneIsAddedAfterThePlaceAndRemoved() throws {
        let changed = try file.edited { $0.setTimeZone("Europe/Berlin") }
        #expect(file.changes(in: changed) == ["+timeZone: Europe/Berlin"])
        #expect(changed.contains("# Frankfurt\ntimeZone: Europe/Berlin\n"))
        #expect(try EditedHomeFile(changed).edited { $0.setTimeZone(nil) } == file.text)
    }

    @Test
    func placeKeepsItsComment() throws {
        #expect(
            try file.changes { $0.setPlace(GeographicPlace(latitude: -33.5, longitude: 151)) } == [
                "-place: { latitude: 50, longitude: 8 } # Frankfurt",
                "+place: { latitude: -33.5, longitude: 151 } # Frankfurt",
            ]
        )
    }

    // MARK: Rooms and zones

    @Test
    func roomIsAddedAfterTheLastOne() throws {
        #expect(try file.changes { _ = try $0.addRoom(named: ObjectName("Porch")) } == ["+  - Porch"])
        #expect(
            try file.edited { _ = try $0.addRoom(named: ObjectName("Porch")) }.contains("  - 'Attic'\n  - Porch\n")
        )
    }

    @Test
    func roomIsRemovedWithItsCommentAndItsReferences() throws {
        #expect(
            try file.changes { try $0.removeRoom($0.rooms[0].id) } == [
                "-  # The cold one.", "-  - Garage", "-  Below: [Garage]", "-    room: Garage", "+  Below: []",
            ]
        )
    }

    @Test
    func roomIsRenamedWhereverItIsUsed() throws {
        #expect(
            try file.changes { try $0.renameRoom($0.rooms[1].id, to: ObjectName("Stairs")) } == [
                "-  - Hall # with the stairs", "-  Upstairs: [Attic, Hall]  # two rooms", "-    room: Hall",
                "+  - Stairs # with the stairs", "+  Upstairs: [Attic, Stairs]  # two rooms", "+    room: Stairs",
            ]
        )
    }

    @Test
    func lastRoomsAndZonesLeaveEmptySections() throws {
        let text =
            try file
            .edited { home in
                for room in home.rooms { try home.removeRoom(room.id) }
                for zone in home.zones { try home.removeZone(zone.id) }
            }
        #expect(text.contains("\nrooms: []\n"))
        #expect(text.contains("# What is above.\nzones: {}\n"))
        let again = try EditedHomeFile(text)
            .edited { home in
                let room = try home.addRoom(named: ObjectName("Cellar"))
                _ = try home.addZone(named: ObjectName("Below"), rooms: [room])
            }
        #expect(again.contains("\nrooms: [Cellar]\n"))
        #expect(again.contains("# What is above.\nzones:\n  Below: [Cellar]\n"))
    }

    @Test
    func zoneIsRenamedInPlaceAndAddedAtTheEnd() throws {
        #expect(
            try file.changes { try $0.renameZone($0.zones[1].id, to: ObjectName("Cellar")) } == [
                "-  Below: [Garage]", "+  Cellar: [Garage]",
            ]
        )
        // The entries of this section have blank lines between them.
        #expect(
            try file.changes { _ = try $0.addZone(named: ObjectName("All"), rooms: $0.rooms.map(\.id)) } == [
                "+", "+  All: [Garage, Hall, Attic]",
            ]
        )
    }

    @Test
    func twoZonesSwapTheirNames() throws {
        let text =
            try file
            .edited { home in
                let names = home.zones.map(\.name)
                try home.renameZone(home.zones[0].id, to: ObjectName("Third"))
                try home.renameZone(home.zones[1].id, to: names[0])
                try home.renameZone(home.zones[0].id, to: names[1])
            }
        #expect(text.contains("  Below: [Attic, Hall]  # two rooms\n\n  # Rarely used.\n  Upstairs: [Garage]\n"))
    }

    @Test
    func aRoomJoinsAndLeavesAZone() throws {
        #expect(
            try file.changes { try $0.addRoom($0.rooms[0].id, to: $0.zones[0].id) } == [
                "-  Upstairs: [Attic, Hall]  # two rooms", "+  Upstairs: [Attic, Hall, Garage]  # two rooms",
            ]
        )
        #expect(
            try file.changes { try $0.removeRoom($0.rooms[2].id, from: $0.zones[0].id) } == [
                "-  Upstairs: [Attic, Hall]  # two rooms", "+  Upstairs: [Hall]  # two rooms",
            ]
        )
    }

    @Test
    func aHomeThatIsNotInTheFileIsAnError() throws {
        let bytes = Array("home: Other\n".utf8)
        let error = #expect(throws: DocumentError.self) {
            try HomeFile.text(bytes, name: "other.yaml", changing: file.old, to: file.old)
        }
        #expect(error?.description.contains("the home House is not in the file") == true)
    }
}
