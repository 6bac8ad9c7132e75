import AccessoryModel
import HAPCore
import Hosting
import Resources
import Testing

@testable import hap

/// `hap types`.
@Suite struct TypeSelectionTests {
    @Test func everythingIsListedWithoutAQuery() throws {
        let selection = try TypeSelection("")
        #expect(selection.services == Catalog.services)
        #expect(selection.characteristics == Catalog.characteristics)
        #expect(!selection.isDetailed)
        let lines = selection.text.split(separator: "\n")
        #expect(lines.count == Catalog.services.count + Catalog.characteristics.count + 2)
        #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
    }

    @Test(arguments: [
        "CurrentDoorState", "current door state", "current-door_state", "E", "e", "0E", "0000000E",
        "0000000E-0000-1000-8000-0026BB765291", "0000000e-0000-1000-8000-0026bb765291",
    ])
    func typeIsFoundByNameAndUUID(query: String) throws {
        let selection = try TypeSelection(query)
        #expect(selection.characteristics.map(\.type) == [.currentDoorState])
        #expect(selection.services.isEmpty)
        #expect(selection.isDetailed)
    }

    @Test func everyTypeIsFoundByEachOfItsNames() throws {
        for service in Catalog.services {
            for name in [service.id, service.name, service.type.uuid.shortened] + service.aliases {
                #expect(try TypeSelection(name).services.contains(service))
            }
        }
        for characteristic in Catalog.characteristics {
            for name in [characteristic.id, characteristic.name, characteristic.type.uuid.description]
                + characteristic.aliases
            {
                #expect(try TypeSelection(name).characteristics.contains(characteristic))
            }
        }
    }

    @Test func partialNamesFindSeveral() throws {
        let selection = try TypeSelection("door state")
        #expect(selection.characteristics.map(\.id) == ["CurrentDoorState", "TargetDoorState"])
        #expect(!selection.isDetailed)
        let only = try TypeSelection("garagedoor")
        #expect(only.services.map(\.id) == ["GarageDoorOpener"])
        #expect(only.isDetailed)
    }

    @Test func characteristicIsShownInFull() throws {
        #expect(
            try TypeSelection("CurrentDoorState").text == """
                Current Door State, a characteristic
                  In definitions  CurrentDoorState
                  UUID            E  0000000E-0000-1000-8000-0026BB765291
                  Format          uint8
                  Permissions     pr ev
                  Range           0...4
                  Step            1
                  Values          0 Open, 1 Closed, 2 Opening, 3 Closing, 4 Stopped
                  Required by     Garage Door Opener
                  Optional in     Lock Management

                """
        )
    }

    @Test func serviceIsShownInFull() throws {
        #expect(
            try TypeSelection("Switch").text == """
                Switch, a service
                  In definitions  Switch
                  UUID            49  00000049-0000-1000-8000-0026BB765291
                  Required
                    On  25  bool  pr pw ev
                  Optional
                    Name  23  string  pr

                """
        )
    }

    @Test func jsonHasTheSameContent() throws {
        let line = TypesResource.format.json(try TypeSelection("Brightness").resource)
        let file = try #require(try JSONValue(parsing: Array(line.utf8)).object)
        #expect(file["services"]?.array?.isEmpty == true)
        let brightness = try #require(file["characteristics"]?.array?.first?.object)
        #expect(brightness["id"]?.string == "Brightness")
        #expect(brightness["type"]?.string == "8")
        #expect(brightness["uuid"]?.string == "00000008-0000-1000-8000-0026BB765291")
        #expect(brightness["format"]?.string == "int")
        #expect(brightness["unit"]?.string == "percentage")
        #expect(brightness["maximum"]?.unsigned == 100)
        #expect(brightness["permissions"]?.array?.compactMap(\.string) == ["pr", "pw", "ev"])
        #expect(brightness["optionalIn"]?.array?.compactMap(\.string).contains("Lightbulb") == true)
    }

    @Test(arguments: [
        ("Lightbulp", "Lightbulb"), ("Curent Dor State", "CurrentDoorState"), ("Thermosat", "Thermostat"),
    ])
    func unknownTypeSuggestsSimilarOnes(query: String, name: String) {
        let failure = #expect(throws: CommandFailure.self) { try TypeSelection(query) }
        #expect(failure?.code == .failed)
        #expect(failure?.message.contains(name) == true)
    }

    @Test(arguments: [
        "xyzzy", "7E536242-341C-4862-BE90-272CE15BD633", "\u{1B}[31m", String(repeating: "a", count: 9_999),
    ])
    func unknownTypeWithoutSuggestionIsReportedInOneSentence(query: String) {
        let failure = #expect(throws: CommandFailure.self) { try TypeSelection(query) }
        #expect(failure?.message.hasSuffix("'hap types' lists all names.") == true)
        #expect((failure?.message.count ?? 0) < 300)
        #expect(failure?.message.contains("\u{1B}") == false)
    }
}
