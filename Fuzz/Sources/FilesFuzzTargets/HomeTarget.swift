import AccessoryFiles
import AccessoryModel
import Documents
import FuzzHarness
import HAPCore
import HomeModel

/// Home files: homes that were read obey the rules, are the same after export and import, and can be edited in the file.
enum HomeTarget: FuzzTarget {
    static let name = "home"

    static var seeds: [String: [UInt8]] {
        let texts = [
            "rooms": """
            home: A
            place: { latitude: -33.87, longitude: 151.21 }
            timeZone: Australia/Sydney
            rooms: [Garage, Kids' Room, Büro]
            zones: { Upstairs: [Kids' Room, Büro], Nothing: [] }
            users: { Ada: owner, Bob: { role: member, remote: true } }
            """,
            "accessories": """
            home: A
            rooms: [R]
            accessories:
              - Lamp
              - { accessory: Garage, name: Unit, room: R, services: { GarageDoorOpener: Door, Lightbulb: { name: L, room: R } } }
              - { accessory: Bridge, category: Bridge, deviceID: 1A:2B:3C:4D:5E:70 }
              - accessory: Strip
                bridge: Bridge
                deviceID: 1A:2B:3C:4D:5E:70
                aid: 7
                services: { Outlet (1): { name: Floor Lamp, as: Lightbulb }, Outlet (2): Charger, X: { type: Fan } }
            groups: { Lamps: [Floor Lamp, Lamp, L] }
            """,
            "scenes": """
            home: A
            accessories: [{ accessory: Garage, services: { Lightbulb: L, GarageDoorOpener: D } }]
            scenes:
              Up: { kind: wakeUp, actions: [{ set: L/On, to: true }, { set: L/Brightness, to: 40% }] }
              Movie: [{ set: D/TargetDoorState, to: Closed }, { set: Garage/Lightbulb/Hue, to: 1e2 }]
            """,
            "events": """
            home: A
            accessories: [{ accessory: X, services: { Thermostat: T } }]
            users: { Ada: owner }
            automations:
              A:
                when: { characteristic: T/CurrentTemperature, above: 25 }
                if: { characteristic: T/CurrentTemperature, within: 18...30.5 }
                run: [{ set: T/TargetTemperature, to: 20 }]
                end: { when: { characteristic: T/CurrentTemperature, below: 20 }, after: 5m, restore: true }
              B: { when: { arrives: Ada }, if: { any: [{ presence: noOne }, { not: { home: Ada } }] }, run: A,
                end: { after: 1h 30min, set: [{ set: T/TargetTemperature, to: 21 }] } }
              C: { when: { presence: lastLeaves }, run: [{ set: T/TargetTemperature, to: 20 }], enabled: false }
            """,
            "times": """
            home: A
            place: { latitude: 50, longitude: 8 }
            accessories: [{ accessory: X, services: { Switch: S } }]
            scenes: { Up: [{ set: S/On, to: on }] }
            automations:
              A: { when: { time: "06:00:30", on: [monday, sun] }, if: { days: weekend }, run: [Up] }
              B: { when: { sun: sunset + 90s, on: workdays }, if: { after: 06:00, before: sunrise + 10min }, run: [Up] }
              C: { when: { date: 2028-02-29 12:00, every: year }, run: [{ scene: Up }] }
              D: { when: { date: 2027-01-01 00:00, every: 3 days }, run: [Up] }
              E: { when: { interval: 2d, from: 2027-01-01 08:00 }, if: { after: sunset }, run: [Up] }
            """,
            "several": """
            homes:
              - { home: A, rooms: [X] }
              - { home: B, primary: true, rooms: [X], accessories: [Lamp] }
            """,
            "comments": """
            # A house.
            home: A   # its name

            rooms:
              - Hall # below
              - 'Attic'
            zones:
              # The top.
              Up: [Attic]
            accessories:
              # Old.
              - accessory: Lamp
                definition: lamp.yaml
                services: { Lightbulb: L }
              - Fan
            scenes: {}
            automations:
              Off:
                when: { presence: lastLeaves }
                run:
                  - { set: L/On, to: false }   # all

            """,
            "json": #"{"home":"A","rooms":["B"],"zones":{"C":["B"]},"users":{"D":"owner"}}"#,
            "known": """
            home: House
            accessories:
              - { accessory: Lamp, services: { Lightbulb: Light } }
              - { accessory: Bridge }
              - { accessory: Fan, bridge: Bridge, services: { Fan: Wind } }
            scenes: { S: [{ set: Light/On, to: true }, { set: Wind/Active, to: Active }] }
            """,
        ]
        return texts.mapValues { Array($0.utf8) }
    }

    static func run(_ input: [UInt8]) {
        let document: HomeDocument
        switch outcome({ () throws(DocumentError) in try HomeFile.read(input, name: "home.yaml") }) {
        case .failure(let error):
            claim(error.diagnostics.contains { $0.severity == .error }, "a refusal says why")
            return
        case .success(let read): document = read
        }
        for (stored, known) in [(Homes(), []), (Homes(), KnownHouse.accessories), (KnownHouse.homes, [])] {
            for extent in [HomeMerge.Scope.partial, .complete] {
                check(HomeMerge(document, into: stored, known: known, extent: extent), from: stored, known)
            }
        }
        let merge = HomeMerge(document, into: Homes(), known: [], extent: .complete)
        if merge.errors.isEmpty, let home = merge.homes.homes.last { HomeEdit.check(input, home) }
    }

    private static func check(_ merge: HomeMerge, from stored: Homes, _ known: [KnownAccessory]) {
        guard merge.errors.isEmpty else {
            claim(merge.homes == stored && merge.changes.isEmpty, "with an error nothing changes")
            return
        }
        claim(HomeRules.violations(in: merge.homes).isEmpty, "the rules hold")
        let document = HomeDocument(merge.homes)
        for kind in [AccessoryFileKind.yaml, .json] {
            guard let again = try? HomeFile.read(HomeFile.write(document, as: kind), name: "again") else {
                fatalError("does not hold: what is exported can be read")
            }
            claim(again == document, "homes are read as they are written")
        }
        let again = HomeMerge(document, into: merge.homes, known: known, extent: .complete)
        claim(again.errors.isEmpty, "what is exported can be imported: \(again.errors.map(\.value.description))")
        claim(again.homes == merge.homes, "what is exported is imported as the same: \(again.changes)")
        claim(again.changes.isEmpty, "nothing is different then")
    }
}
