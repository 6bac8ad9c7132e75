import AccessoryFiles
import Documents
import HAPCore
import HomeModel
import TestSupport
import Testing

/// A home file with the home that was merged from it, for edits.
struct EditedHomeFile {
    /// A home file with comments everywhere.
    static let commentedText = """
        # yaml-language-server: $schema=home.schema.json
        # The house of my aunt.

        home: House   # her name for it
        place: { latitude: 50, longitude: 8 } # Frankfurt

        rooms:
          # The cold one.
          - Garage
          - Hall # with the stairs
          - 'Attic'

        # What is above.
        zones:
          Upstairs: [Attic, Hall]  # two rooms

          # Rarely used.
          Below: [Garage]
        accessories:
          # Bought in 2019.
          - accessory: Lamp
            definition: lamp.yaml # relative
            room: Hall
            services:
              # Over the table.
              Lightbulb: Table Lamp
          - Spare Lamp    # not connected
          - accessory: Door
            definition: door.yaml
            room: Garage
            services: { GarageDoorOpener: Big Door, Lightbulb: Door Light }
        # Last comment of the accessories.

        automations:
          # Every evening.
          Evening:
            # When it gets dark.
            when: { sun: sunset }
            run: [{ set: Table Lamp/On, to: true }]  # all of it
            # For a while.
            end: { after: 4h, restore: true }
          Leaving:
            when: { characteristic: Big Door/CurrentDoorState, becomes: Open }
            run:
              # First the lamp.
              - { set: Table Lamp/On, to: false }
              - { set: Door Light/On, to: true }   # then the door
        # The end.

        """

    let text: String
    let homes: Homes
    let old: Home
    let known: [KnownAccessory]

    /// - Parameters:
    ///   - name: The name of the home that is edited; by default that of the first home.
    ///   - known: The accessories that are served.
    init(_ text: String, home name: String? = nil, known: [KnownAccessory] = []) throws {
        self.text = text
        let document = try HomeFile.read(Array(text.utf8), name: "home.yaml")
        let merge = HomeMerge(document, into: Homes(), known: known, extent: .complete)
        #expect(merge.errors.isEmpty, "\(merge.errors.map(\.value.description))")
        homes = merge.homes
        self.known = known
        old = try #require(name == nil ? merge.homes.homes.first : merge.homes.homes.first { $0.name.text == name })
    }

    /// Returns the home after an edit.
    func home(_ edit: (inout Home) throws -> Void) throws -> Home {
        var new = old
        try edit(&new)
        return new
    }

    /// Returns the text after an edit, and checks that it gives the edited home.
    func edited(_ edit: (inout Home) throws -> Void) throws -> String {
        try edited(to: home(edit))
    }

    /// Returns the text after an edit, and checks that it gives the edited home.
    func edited(to new: Home) throws -> String {
        let bytes = try HomeFile.text(Array(text.utf8), name: "home.yaml", changing: old, to: new)
        _ = try Self.check(bytes, homes, old, new, known)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the lines that an edit removes from the text and adds to it.
    func changes(_ edit: (inout Home) throws -> Void) throws -> [String] {
        try changes(in: edited(edit))
    }

    /// Returns the lines that another text does not have or adds.
    func changes(in other: String) -> [String] {
        let difference = other.split(separator: "\n", omittingEmptySubsequences: false)
            .difference(from: text.split(separator: "\n", omittingEmptySubsequences: false))
        return difference.removals.map { change in
            if case .remove(_, let line, _) = change { "-\(line)" } else { "" }
        }
            + difference.insertions.map { change in
                if case .insert(_, let line, _) = change { "+\(line)" } else { "" }
            }
    }

    /// Checks that a file, merged into the homes before an edit, gives the home after it, and returns the merged homes.
    static func check(
        _ bytes: [UInt8],
        _ homes: Homes,
        _ old: Home,
        _ new: Home,
        _ known: [KnownAccessory]
    ) throws -> Homes {
        let text = Comment(rawValue: String(decoding: bytes, as: UTF8.self))
        let document = try HomeFile.read(bytes, name: "home.yaml")
        var renamed = homes
        try renamed.renameHome(old.id, to: new.name)
        let merge = HomeMerge(document, into: renamed, known: known, extent: .complete)
        #expect(merge.errors.isEmpty, "\(merge.errors.map(\.value.description))\n\(text)")
        let merged = try #require(merge.homes.home(old.id))
        #expect(Content(merged) == Content(new), text)
        for other in homes.homes where other.id != old.id {
            #expect(merge.homes.home(other.id).map(Content.init) == Content(other), text)
        }
        return merge.homes
    }

    /// The content of a home, independent of the order of its objects, of ids, and of what a file does not contain.
    private struct Content: Equatable {
        let home: HomeDescription
        let objects: [Set<AnyHashable>]

        init(_ home: Home) {
            var home = HomeDescription(home)
            for index in home.automations.indices { home.automations[index].content.isEnabled = true }
            for index in home.accessories.indices {
                // The file says by which name an accessory is known, and the home only remembers it.
                let accessory = home.accessories[index]
                home.accessories[index].accessory = Located(accessory.name?.value.text ?? accessory.accessory.value)
                home.accessories[index].name = nil
            }
            objects = [
                Set(home.rooms), Set(home.zones), Set(home.accessories), Set(home.groups), Set(home.scenes),
                Set(home.automations), Set(home.users),
            ]
            home.rooms = []
            home.zones = []
            home.accessories = []
            home.groups = []
            home.scenes = []
            home.automations = []
            home.users = []
            self.home = home
        }
    }
}
