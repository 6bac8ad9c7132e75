import Foundation
import TestSupport
import Testing

/// `hap home add`, `change` and `edit`, with everything that a home file can contain for an object.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HomeContentCommandTests {
    /// The triggers of automations as a person may write them, and as an export writes them.
    private static let triggers = [
        (
            "{ characteristic: garage door/current door state, becomes: opening }",
            "{ characteristic: Garage Door/CurrentDoorState, becomes: Opening }"
        ),
        (
            "{ characteristic: heater/current temperature, above: 25 }",
            "{ characteristic: Heater/CurrentTemperature, above: 25 }"
        ),
        (
            "{ characteristic: Heater/CurrentTemperature, below: 18 }",
            "{ characteristic: Heater/CurrentTemperature, below: 18 }"
        ),
        (
            "{ characteristic: Heater/CurrentTemperature, within: 18...24 }",
            "{ characteristic: Heater/CurrentTemperature, within: 18...24 }"
        ),
        ("{ characteristic: Garage Light/On, changes: true }", "{ characteristic: Garage Light/On, changes: true }"),
        // YAML 1.1 reads these times as numbers in base 60.
        ("{ time: 17:00 }", #"{ time: "17:00" }"#), ("{ time: 7:00 }", #"{ time: "07:00" }"#),
        ("{ time: 07:00, on: workdays }", #"{ time: "07:00", on: workdays }"#),
        (#"{"time": "07:00", "on": ["monday"]}"#, #"{ time: "07:00", on: [monday] }"#),
        ("{ sun: sunset - 15min }", "{ sun: sunset - 15min }"),
        ("{ sun: sunset, on: [friday, saturday] }", "{ sun: sunset, on: [friday, saturday] }"),
        ("{ date: 2026-12-24 18:00, every: year }", #"{ date: "2026-12-24 18:00", every: year }"#),
        ("{ date: 2026-12-24 18:00 }", #"{ date: "2026-12-24 18:00" }"#),
        ("{ presence: firstArrives }", "{ presence: firstArrives }"), ("{ arrives: ada }", "{ arrives: Ada }"),
        ("{ leaves: Ada }", "{ leaves: Ada }"), ("{ interval: 2h }", "{ interval: 2h }"),
        ("[{ sun: sunset - 30min }, { arrives: Ada }]", "[{ sun: sunset - 30min }, { arrives: Ada }]"),
    ]

    @Test func everyKindOfTriggerIsAdded() async throws {
        let home = try await HomeFixture.makeWithHome()
        for (index, (trigger, written)) in Self.triggers.enumerated() {
            let added = try await home(
                "add",
                "automation",
                "Number \(index)",
                "{ when: \(trigger), run: [{ set: Garage Light/On, to: on }] }"
            )
            #expect(added.status == 0 && added.output == "Added the automation Number \(index).\n", "\(added)")
            let file = try await home("export").output
            #expect(file.contains("  Number \(index):\n    when: \(written)\n"), "\(trigger): \(file)")
        }
    }

    @Test(arguments: [
        ("{ when: { time: 7:99 }, run: [Movie Time] }", "07:30"), ("bogus", "expected a map"),
        ("{ run: [Movie Time] }", "add one under \"when\""), ("]", "content"), ("", "empty"),
        ("{ when: { sun: sunset, becomes: 1 }, run: [Movie Time] }", "leave it out"),
        ("{ when: { interval: 2s }, run: [Movie Time] }", "10 s to 366 days"),
        ("{ when: { arrives: Bob }, run: [Movie Time] }", "Bob"),
        ("{ when: { characteristic: Garage Lihgt/On, becomes: on }, run: [Movie Time] }", "Garage Light"),
        ("{ when: { characteristic: Heater/On, becomes: on }, run: [Movie Time] }", "has no"),
        ("{ when: { time: 07:00 }, if: { all: [] }, run: [Movie Time] }", "condition"),
        ("{ when: { time: 07:00 }, end: { after: 5min }, run: [Movie Time] }", "restore"),
        ("{ when: { time: 07:00 }, run: [Movie Tim] }", "Movie Time"),
        ("{ when: { time: 07:00 }, run: [Movie Time], ends: true }", "end"),
    ])
    func invalidContentIsRefusedInOneSentence(content: String, word: String) async throws {
        let home = try await HomeFixture.makeWithHome()
        let before = try await home("export").output
        let outcome = try await home("add", "automation", "Light", content)
        #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errors.contains(word), "\(outcome)")
        #expect(outcome.errors.filter { $0 == "\n" }.count == 1, "\(outcome)")
        #expect(try await home("export").output == before)
    }

    /// Changes of an automation, each with the part of the file that follows from it.
    private static let changes = [
        ("{ when: { time: 21:15, on: weekend } }", "    when: { time: \"21:15\", on: weekend }\n"),
        (
            "{ if: { characteristic: garage door/current door state, is: closed } }",
            "    if: { characteristic: Garage Door/CurrentDoorState, is: Closed }\n"
        ),
        (
            "{ if: { any: [{ home: Ada }, { not: { presence: anyone } }] } }",
            "    if: { any: [{ home: Ada }, { not: { presence: anyone } }] }\n"
        ),
        (
            "{ run: [{ set: Garage Light/Brightness, to: 40 }] }",
            "    run: [{ set: Garage Light/Brightness, to: 40 }]\n"
        ),
        ("{ run: Movie Time }", "    run: [Movie Time]\n"),
        (
            """
            end: { when: { characteristic: Garage Door/CurrentDoorState, becomes: Closed }, after: 5min,
              set: [{ set: Garage Light/On, to: off }] }
            """,
            "      when: { characteristic: Garage Door/CurrentDoorState, becomes: Closed }\n      after: 5min\n"
                + "      set: [{ set: Garage Light/On, to: false }]\n"
        ),
        ("{ end: { after: 90min, restore: true } }", "      after: 90min\n      restore: true\n"),
        ("{ if: { after: sunset } }", "    if: { after: sunset, before: sunrise }\n"),
        ("{ if: { after: 22:00, before: 06:00 } }", "    if: { after: \"22:00\", before: \"06:00\" }\n"),
        ("{ if: { presence: noOne } }", "    if: { presence: noOne }\n"),
        (
            "{ if: { all: [{ days: weekend }, { home: Ada }] } }",
            "    if: { all: [{ days: weekend }, { home: Ada }] }\n"
        ),
        ("{ end: { after: 300s, restore: true } }", "      after: 5min\n      restore: true\n"),
        ("{ once: true, enabled: false }", "    once: true\n    enabled: false\n"),
    ]

    @Test func aChangeReplacesTheKeysThatItHas() async throws {
        let home = try await HomeFixture.makeWithHome()
        func export() async throws -> String { try await home("export").output }
        let added = try await home(
            "add",
            "automation",
            "Light",
            "{ when: { time: 22:30 }, if: { days: weekend }, run: [{ set: Garage Light/On, to: on }] }"
        )
        #expect(added.status == 0, "\(added)")
        let start = try await export()
        var files = [start]
        for (content, written) in Self.changes {
            let changed = try await home("change", "automation", "light", content)
            #expect(changed.status == 0 && changed.output.hasPrefix("The automation Light "), "\(changed)")
            files.append(try await export())
            #expect(files.last?.contains(written) == true, "\(content): \(files.last ?? "")")
        }
        for file in files {
            let other = try HomeFixture()
            #expect(try await other("import", try other.folder.write(file, to: "home.yaml")).status == 0)
            #expect(try await other("export").output == file)
        }
        let back = try await home(
            "change",
            "automation",
            "Light",
            """
            { when: { time: 22:30 }, if: { days: weekend }, run: [{ set: Garage Light/On, to: on }], end: null,
              once: null, enabled: null }
            """
        )
        #expect(back.status == 0, "\(back)")
        #expect(try await export() == start)
        let dry = try await home("change", "automation", "Light", "{ if: null }", "--dry-run")
        #expect(
            dry.output
                == "The automation Light no longer has a condition.\nNothing was changed: this was a dry run.\n",
            "\(dry)"
        )
        let same = try await home("change", "automation", "Light", "{ end: null }")
        #expect(same.output == "The content is the same as before.\n", "\(same)")
        for arguments in [[], ["{ when: { arrives: Bob } }"], ["{ when: null }"], ["{ run: [] }", "--served"]] {
            let refused = try await home.run(["change", "automation", "Light"] + arguments)
            #expect(refused.status == 64 && refused.output.isEmpty, "\(refused)")
        }
        #expect(try await export() == start)
    }

    @Test func everyKindOfObjectIsAddedAndChanged() async throws {
        let home = try await HomeFixture.makeWithHome()
        func run(_ arguments: String..., expecting line: String) async throws {
            let outcome = try await home.run(arguments)
            #expect(outcome.status == 0 && outcome.output.hasPrefix(line), "\(arguments): \(outcome)")
        }
        try await run("add", "room", "Kitchen", expecting: "Added the room Kitchen.\n")
        try await run("add", "zone", "Upstairs", "Hall", "Kitchen", expecting: "Added the zone Upstairs.\n")
        try await run("change", "zone", "Upstairs", "[Kitchen]", expecting: "The zone Upstairs has Kitchen.\n")
        try await run("change", "zone", "upstairs", "Hall", expecting: "The zone Upstairs has Hall.\n")
        try await run("add", "group", "Lamps", "Garage Light", expecting: "Added the group Lamps.\n")
        try await run(
            "change",
            "group",
            "Lamps",
            "Garage Light",
            "Heater",
            expecting: "The group Lamps has Garage Light, Heater.\n"
        )
        try await run(
            "add",
            "scene",
            "Dark",
            "[{ set: garage light/on, to: off }]",
            expecting: "Added the scene Dark.\n"
        )
        try await run(
            "change",
            "scene",
            "Dark",
            "{ kind: sleep }",
            expecting: "The scene Dark is now of the kind sleep.\n"
        )
        try await run("change", "scene", "Dark", "[]", expecting: "The scene Dark now has 0 actions.\n")
        try await run("add", "scene", "Empty", expecting: "Added the scene Empty.\n")
        try await run("add", "user", "Eve", "{ remote: true }", expecting: "Added the user Eve.\n")
        try await run("add", "user", "Bob", expecting: "Added the user Bob.\n")
        try await run(
            "change",
            "user",
            "Bob",
            "{ remote: true }",
            expecting: "The user Bob may now access the home remotely.\n"
        )
        try await run("change", "user", "bob", "administrator", expecting: "The user Bob is now administrator.\n")
        try await run(
            "change",
            "accessory",
            "boiler",
            "{ room: Kitchen }",
            expecting: "The accessory Boiler is now in Kitchen.\n"
        )
        try await run(
            "change",
            "service",
            "Heater",
            "{ room: Hall }",
            expecting: "The service Heater is now in Hall.\n"
        )
        try await run(
            "change",
            "service",
            "Heater",
            "{ room: null }",
            expecting: "The service Heater is now in Kitchen.\n"
        )
        try await run(
            "change",
            "home",
            "Test House",
            "{ timeZone: null }",
            expecting: "The home's time zone is now the machine's.\n"
        )
        try await run(
            "add",
            "home",
            "Cabin",
            "{ place: { latitude: -33.9, longitude: -151.2 } }",
            expecting: "Added the home Cabin.\n"
        )
        try await run("change", "home", "cabin", "{ primary: true }", expecting: "Cabin is now the primary home.\n")
        let file = try await home("export", "--home", "Test House").output
        for line in [
            "Upstairs: [Hall]", "Dark:\n    kind: sleep\n", "Empty: []", "Bob: { role: administrator, remote: true }",
        ] {
            #expect(file.contains("  \(line)"), "\(file)")
        }
        for arguments in [
            ["add", "room", "kitchen"], ["add", "zone", "upstairs"], ["add", "scene", "Kitchen "],
            ["add", "service", "Lamp"], ["add", "accessory", "Lamp"],
            ["add", "home", "Cabin"],
            ["add", "room", "Bath", "{ size: 2 }"], ["change", "room", "Hall", "{}"],
            ["change", "zone", "Attic", "Hall"],
            ["change", "home", "Cabin", "{ home: Villa }"], ["change", "user", "Bob", "king"],
            ["add", "user", "Eve", "member", "now"], ["add", "zone", "Far", "Nowhere"],
            ["add", "scene", "Good", "{ kind: sleep }"], ["change", "scene", "Dark", "null"],
            ["add", "home", "Villa", "[a]"],
            ["add", "home", "Villa", "{ home: Other }"], ["change", "accessory", "Boiler", "{ definition: a.yaml }"],
            ["change", "service", "Heater", "{ as: Fan }"],
        ] {
            let refused = try await home.run(arguments + (arguments[1] == "home" ? [] : ["--home", "Test House"]))
            #expect(
                refused.status == 64 && refused.output.isEmpty && !refused.errors.isEmpty,
                "\(arguments): \(refused)"
            )
        }
    }

    /// Runs `hap home edit` with an editor that performs a line of a shell on the file `$2`.
    private func edit(_ home: HomeFixture, by line: String, _ arguments: String...) async throws -> HapCommand.Outcome {
        let path = try home.folder.write("#!/bin/sh\n\(line)\n", to: "editor")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return try await home.run(
            ["edit"] + arguments,
            environment: ["EDITOR": "\(path) --wait", "TMPDIR": home.folder("drafts")]
        )
    }

    @Test func contentIsEditedInTheEditor() async throws {
        let home = try await HomeFixture.makeWithHome()
        let drafts = home.folder("drafts")
        try FileManager.default.createDirectory(atPath: drafts, withIntermediateDirectories: true)
        let added = try await home("add", "automation", "Light", "{ when: { time: 22:30 }, run: [Movie Time] }")
        #expect(added.status == 0, "\(added)")
        let kept = try await edit(home, by: "cp $2 \(home.folder("seen"))", "automation", "light")
        #expect(kept.output == "Nothing was changed.\n", "\(kept)")
        #expect(home.folder.text(of: "seen") == "when: { time: \"22:30\" }\nrun: [Movie Time]\n")
        let changed = try await edit(home, by: "sed -i s/22:30/21:15/ $2", "automation", "light")
        #expect(changed.output == "The automation Light now runs at 21:15, every day.\n", "\(changed)")
        let list = try await edit(home, by: "sed -i '/Hall/d' $2", "zone", "Downstairs")
        #expect(list.output == "The zone Downstairs has Garage.\n", "\(list)")
        let house = try await edit(home, by: "sed -i 's/^rooms:.*/rooms: [Garage, Hall, Attic]/' $2")
        #expect(house.output == "The room Attic is new.\n", "\(house)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: drafts).isEmpty)
        let before = try await home("export").output
        let tried = try await edit(
            home,
            by: "sed -i s/21:15/20:15/ $2",
            "automation",
            "light",
            "--dry-run",
            "--home",
            "Test House"
        )
        #expect(tried.output.contains("at 20:15"), "\(tried)")
        #expect(tried.errors.contains(" --home 'Test House' --state "), "\(tried)")
        for (line, word, status) in [
            ("sed -i s/21:15/25:99/ $2", ".yaml:1:", 65), ("exit 3", "set EDITOR", 1),
            ("sed -i s/time/tme/ $2", "tme", 65),
        ] as [(String, String, Int32)] {
            let refused = try await edit(home, by: line, "automation", "Light")
            #expect(refused.status == status && refused.errors.contains(word), "\(refused)")
            #expect(refused.errors.contains("hap home edit automation Light --file \(drafts)/hap-"), "\(refused)")
        }
        let renamed = try await edit(home, by: "sed -i 's/^home: .*/home: Villa/' $2")
        #expect(renamed.status == 65 && renamed.errors.contains("rename the home"), "\(renamed)")
        #expect(try await home("export").output == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: drafts).count == 5)
    }

    @Test func anEditOfAHomeThatHasChangedIsNotSaved() async throws {
        let home = try await HomeFixture.makeWithHome()
        try FileManager.default.createDirectory(atPath: home.folder("drafts"), withIntermediateDirectories: true)
        // The editor waits until this test has changed the home.
        let fifo = home.folder("fifo")
        #expect(mkfifo(fifo, 0o600) == 0)
        let started = home.folder("started")
        async let editing = edit(home, by: "touch \(started); echo '# more' >> $2; cat \(fifo)", "scene", "Movie Time")
        try await HapCommand.wait { FileManager.default.fileExists(atPath: started) }
        let changed = try await home("add", "room", "Attic")
        #expect(changed.status == 0, "\(changed)")
        try Data("go\n".utf8).write(to: URL(filePath: fifo))
        let refused = try await editing
        #expect(refused.status == 1 && refused.errors.contains("was changed in the meantime"), "\(refused)")
        let path = try #require(refused.errors.firstMatch(of: #/Your text is in (\S+\.yaml)\./#)?.1)
        #expect(try String(contentsOfFile: String(path), encoding: .utf8).hasSuffix("# more\n"))
        let saved = try await home("edit", "scene", "Movie Time", "--file", String(path))
        #expect(saved.output == "The content is the same as before.\n", "\(saved)")
    }

    @Test func editsOfSeveralProcessesAreAllMade() async throws {
        let home = try await HomeFixture.makeWithHome()
        try await withThrowingTaskGroup(of: HapCommand.Outcome.self) { group in
            for number in 1...4 {
                group.addTask { try await home("add", "room", "Room \(number)") }
            }
            for try await outcome in group { #expect(outcome.status == 0, "\(outcome)") }
        }
        #expect(try await home("list", "rooms").output.split(separator: "\n").count == 6)
    }

    @Test func unknownTimeZoneIsReported() async throws {
        let home = try await HomeFixture.makeWithHome()
        let zone = try await home("change", "home", "Test House", "{ timeZone: Europe/Berln }")
        #expect(zone.status == 0 && zone.errors.contains("does not know the time zone Europe/Berln"), "\(zone)")
    }
}
