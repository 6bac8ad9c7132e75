import AccessoryFiles
import AccessoryModel
import Documents
import HAPCore
import HomeModel
import TestSupport
import Testing

/// Tests that edits of scenes and automations change only the lines of a home file that they concern.
struct AutomationEditingTests {
    private let file: EditedHomeFile

    init() throws {
        file = try EditedHomeFile(EditedHomeFile.commentedText)
    }

    @Test
    func sceneIsAddedToAFileWithoutScenes() throws {
        let text =
            try file
            .edited { home in
                let lamp = try home.service(named: "Table Lamp").id
                let action = HomeAction(characteristic: CharacteristicSelector(service: lamp, type: .on), value: true)
                _ = try home.addScene(named: ObjectName("Good Night"), kind: .sleep, actions: [action])
            }
        #expect(
            text.hasSuffix(
                """
                then the door

                scenes:
                  Good Night:
                    kind: sleep
                    actions: [{ set: Table Lamp/On, to: true }]
                # The end.

                """
            )
        )
    }

    @Test
    func onlyTheChangedPartOfAnAutomationIsWritten() throws {
        #expect(
            try file.changes { home in
                var evening = home.automations[0]
                evening.triggers = [.sun(.sunset, offset: .seconds(-900), .daily)]
                evening.condition = .presence(.anyone)
                try home.replaceAutomation(with: evening)
            } == [
                "-    when: { sun: sunset }", "+    when: { sun: sunset - 15min }", "+    if: { presence: anyone }",
            ]
        )
        #expect(
            try file.changes { home in
                var leaving = home.automations[1]
                leaving.targets.ownActions[1].value = false
                try home.replaceAutomation(with: leaving)
            } == [
                "-      - { set: Door Light/On, to: true }   # then the door",
                "+      - { set: Door Light/On, to: false }   # then the door",
            ]
        )
    }

    @Test
    func automationsAreRenamedAddedAndRemoved() throws {
        #expect(
            try file.changes { try $0.renameAutomation($0.automations[0].id, to: ObjectName("Dusk")) } == [
                "-  Evening:", "+  Dusk:",
            ]
        )
        let copy = try ObjectName("Copy")
        #expect(
            try file.changes { home in
                let rule = home.automations[0].rule
                _ = try home.addAutomation { Automation(id: $0, name: copy, rule: rule) }
            } == [
                "+  Copy:", "+    when: { sun: sunset }", "+    run: [{ set: Table Lamp/On, to: true }]", "+    end:",
                "+      after: 4h", "+      restore: true",
            ]
        )
        let removed = try file.changes { try $0.removeAutomation($0.automations[0].id) }
        #expect(removed.first == "-  # Every evening." && removed.last == "-    end: { after: 4h, restore: true }")
        #expect(removed.count == 7)
    }

    @Test
    func enabledIsWrittenOnlyIfTheFileStatesIt() throws {
        #expect(try file.changes { try $0.setAutomation($0.automations[0].id, isEnabled: false) } == [])
        let stated = file.text.replacing(
            "    when: { sun: sunset }",
            with: "    enabled: true # for now\n    when: { sun: sunset }"
        )
        let file = try EditedHomeFile(stated)
        #expect(
            try file.changes { try $0.setAutomation($0.automations[0].id, isEnabled: false) } == [
                "-    enabled: true # for now", "+    enabled: false # for now",
            ]
        )
        #expect(try file.changes { try $0.setAutomation($0.automations[1].id, isEnabled: false) } == [])
    }

    @Test
    func disabledAutomationIsAddedAsDisabled() throws {
        let copy = try ObjectName("Copy")
        let added = try file.changes { home in
            var rule = home.automations[0].rule
            rule.isEnabled = false
            _ = try home.addAutomation { Automation(id: $0, name: copy, rule: rule) }
        }
        #expect(added.contains("+    enabled: false"))
    }

    @Test
    func presenceIsNotWritten() throws {
        let text = file.text + "users: { Ada: owner }\n"
        let file = try EditedHomeFile(text)
        #expect(try file.edited { try $0.setPresence(true, of: $0.users[0].id) } == text)
    }

    @Test
    func referencesByAccessoryFollowARenamedAccessory() throws {
        let text = file.text.replacing("Table Lamp/On, to: false", with: "Lamp/Lightbulb/On, to: false")
        let changed = try EditedHomeFile(text)
            .edited { try $0.renameAccessory($0.accessories[0].id, to: ObjectName("Big Lamp")) }
        #expect(changed.contains("[{ set: Table Lamp/On, to: false }, { set: Door Light/On, to: true }]"))
        #expect(
            changed.contains("# Every evening.") && changed.contains("# The end.") && changed.contains("# relative")
        )
    }

    @Test
    func whatTheMergeLeftOutStaysInTheFile() throws {
        let text = """
            home: House
            accessories: [Unknown]
            scenes:
              # Waits for the accessory.
              Later: [{ set: Unknown Light/On, to: true }]
            """
        let changed = try EditedHomeFile(text).edited { _ = try $0.addRoom(named: ObjectName("Hall")) }
        #expect(changed == text + "\nrooms: [Hall]")
    }
}
