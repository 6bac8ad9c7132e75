import TestSupport
import Testing

/// `hap home add automation`, with everything that a home file can contain for an automation.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HomeAutomationCommandTests {
    private static let triggers = [
        (
            ["--when", "Garage Door/Current Door State=Opening"],
            "{ characteristic: Garage Door/CurrentDoorState, becomes: Opening }"
        ),
        (
            ["--trigger", "characteristic: Garage Door/CurrentDoorState, becomes: Opening"],
            "{ characteristic: Garage Door/CurrentDoorState, becomes: Opening }"
        ),
        (
            ["--trigger", "characteristic: heater/current temperature, above: 25"],
            "{ characteristic: Heater/CurrentTemperature, above: 25 }"
        ),
        (
            ["--trigger", "characteristic: Heater/CurrentTemperature, below: 18"],
            "{ characteristic: Heater/CurrentTemperature, below: 18 }"
        ),
        (
            ["--trigger", "characteristic: Heater/CurrentTemperature, within: 18...24"],
            "{ characteristic: Heater/CurrentTemperature, within: 18...24 }"
        ),
        (
            ["--trigger", "characteristic: Garage Light/On, changes: true"],
            "{ characteristic: Garage Light/On, changes: true }"
        ),
        (["--at", "22:30"], #"{ time: "22:30" }"#),
        (["--trigger", "time: 07:00, on: workdays"], #"{ time: "07:00", on: workdays }"#),
        (["--trigger", #"{"time": "07:00", "on": ["monday"]}"#], #"{ time: "07:00", on: [monday] }"#),
        (["--sunset", "-15"], "{ sun: sunset - 15min }"),
        (["--sunrise", "5"], "{ sun: sunrise + 5min }"),
        (
            ["--trigger", "sun: sunset - 15min, on: [friday, saturday]"],
            "{ sun: sunset - 15min, on: [friday, saturday] }"
        ),
        (
            ["--trigger", "date: 2026-12-24 18:00, every: year"],
            #"{ date: "2026-12-24 18:00", every: year }"#
        ),
        (["--first-arrives"], "{ presence: firstArrives }"),
        (["--last-leaves"], "{ presence: lastLeaves }"),
        (["--trigger", "presence: everyoneArrives"], "{ presence: everyoneArrives }"),
        (["--trigger", "arrives: ada"], "{ arrives: Ada }"),
        (["--trigger", "leaves: Ada"], "{ leaves: Ada }"),
        (["--trigger", "interval: 2h"], "{ interval: 2h }"), (["--every", "2h"], "{ interval: 2h }"),
        (["--everyone-arrives"], "{ presence: everyoneArrives }"), (["--arrives", "ada"], "{ arrives: Ada }"),
        (["--date", "2026-12-24 18:00"], #"{ date: "2026-12-24 18:00" }"#),
        (["--at", "7:00", "--on", "workdays"], #"{ time: "07:00", on: workdays }"#),
        (["--sunset", "0", "--on", "friday, saturday"], "{ sun: sunset, on: [friday, saturday] }"),
        (["--when", "Heater/Current Temperature<18"], "{ characteristic: Heater/CurrentTemperature, below: 18 }"),
    ]

    @Test func everyKindOfTriggerHasAnOption() async throws {
        let home = try await HomeFixture.makeWithHome()
        for (index, (arguments, written)) in Self.triggers.enumerated() {
            let added = try await home.run(
                ["add", "automation", "Number \(index)"] + arguments + ["--set", "Garage Light=on"]
            )
            #expect(added.status == 0, "\(arguments): \(added)")
            let file = try await home("export").output
            #expect(file.contains("  Number \(index):\n    when: \(written)\n"), "\(arguments): \(file)")
        }
    }

    @Test(arguments: [
        (["after: sunset"], "{ after: sunset, before: sunrise }"),
        (["after: 22:00, before: 06:00"], #"{ after: "22:00", before: "06:00" }"#),
        (["days: weekend"], "{ days: weekend }"), (["presence: noOne"], "{ presence: noOne }"),
        (["home: Ada"], "{ home: Ada }"),
        (["garage door=closed"], "{ characteristic: Garage Door/CurrentDoorState, is: Closed }"),
        (
            ["Heater/Current Temperature>=18", "days: weekend"],
            "{ all: [{ days: weekend }, { characteristic: Heater/CurrentTemperature, within: 18... }] }"
        ),
        (["characteristic: Garage Light/On, is: off"], "{ characteristic: Garage Light/On, is: false }"),
        (
            ["{ days: weekend }", "any: [{ home: Ada }, { not: { presence: anyone } }]"],
            "{ all: [{ days: weekend }, { any: [{ home: Ada }, { not: { presence: anyone } }] }] }"
        ),
    ])
    func everyConditionHasAnOption(conditions: [String], written: String) async throws {
        let home = try await HomeFixture.makeWithHome()
        let added = try await home.run(
            ["add", "automation", "Evening", "--at", "22:30", "--scene", "Movie Time"]
                + conditions.flatMap { ["--if", $0] }
        )
        #expect(added.status == 0, "\(added)")
        let file = try await home("export").output
        #expect(file.contains("    if: \(written)\n    run: [Movie Time]\n"), "\(file)")
    }

    @Test(arguments: [
        (["--end-after", "300"], "      after: 5min\n      restore: true\n"),
        (
            ["--end-when", "garage door=closed", "--end-after", "5min", "--end-set", "Garage Light=off"],
            "      when: { characteristic: Garage Door/CurrentDoorState, becomes: Closed }\n      after: 5min\n"
                + "      set: [{ set: Garage Light/On, to: false }]\n"
        ),
        (["--end", "after: 5min, restore: true"], "      after: 5min\n      restore: true\n"),
        (
            ["--end", "when: { characteristic: Garage Door/CurrentDoorState, becomes: Closed }, restore: true"],
            "      when: { characteristic: Garage Door/CurrentDoorState, becomes: Closed }\n      restore: true\n"
        ),
        (
            [
                "--end",
                """
                when: { characteristic: Garage Door/CurrentDoorState, becomes: Closed }, after: 5min,
                    set: [{ set: Garage Light/On, to: off }]
                """,
            ],
            "      when: { characteristic: Garage Door/CurrentDoorState, becomes: Closed }\n      after: 5min\n"
                + "      set: [{ set: Garage Light/On, to: false }]\n"
        ),
    ])
    func everyEndHasAnOption(arguments: [String], written: String) async throws {
        let home = try await HomeFixture.makeWithHome()
        let added = try await home.run(
            ["add", "automation", "Light", "--first-arrives", "--set", "Garage Light=on", "--disabled"] + arguments
        )
        #expect(added.status == 0, "\(added)")
        let file = try await home("export").output
        #expect(file.contains("    end:\n\(written)    enabled: false\n"), "\(file)")
    }

    @Test(arguments: [
        ([], "one of --when"), (["--on", "monday"], "--on gives the days"), (["--every", "year"], "--trigger"),
        (["--at", "07:00", "--end-set", "Garage Light=off"], "write --end-after"),
        (["--at", "07:00", "--if", "Garage Door"], "--if"), (["--at", "07:00", "--on", "mondya"], "--on"),
        (["--at", "7:99"], "22:30"),
        (["--sunset", "9223372036854775807"], "-720 to 720"), (["--trigger", "time: 7:99"], "07:30"),
        (["--trigger", "bogus"], "unknown key; write one of characteristic"), (["--trigger", "]"], "--trigger"),
        (["--trigger", "sun: sunset, becomes: 1"], "leave it out"), (["--trigger", ""], "one of characteristic"),
        (["--trigger", "interval: 2s"], "10 s to 366 days"), (["--trigger", "arrives: Bob"], "Bob"),
        (["--trigger", "characteristic: Garage Lihgt/On, becomes: on"], "Garage Light"),
        (["--trigger", "characteristic: Heater/On, becomes: on"], "has no"),
        (["--at", "07:00", "--if", "after: 25:00"], "--if"), (["--at", "07:00", "--if", "home: Bob"], "Bob"),
        (["--at", "07:00", "--if", "all: []"], "condition"), (["--at", "07:00", "--end", "after: 5min"], "restore"),
        (["--at", "07:00", "--end-after", "99999999999999"], "2678400"),
        (["--at", "07:00", "--end-after", "5", "--end", "after: 5min, restore: true"], "one of --end-after"),
    ])
    func invalidCombinationIsRefusedInOneSentence(arguments: [String], word: String) async throws {
        let home = try await HomeFixture.makeWithHome()
        let outcome = try await home.run(["add", "automation", "Light"] + arguments + ["--set", "Garage Light=on"])
        #expect(outcome.status == 64, "\(outcome)")
        #expect(outcome.isOneSentence || outcome.errors.hasSuffix("Did you mean Garage Light?\n"), "\(outcome)")
        #expect(outcome.errors.contains(word), "\(outcome)")
        #expect(try await home("export").output.contains("automations:") == false)
    }

    /// Options that replace a part of an automation, each with the part of the file that follows from them.
    private static let changes: [(arguments: [String], written: String)] = [
        (
            ["--sunset", "-30", "--arrives", "Ada"],
            "    when: [{ sun: sunset - 30min }, { arrives: Ada }]\n"
        ),
        (["--if", "garage door=closed"], "    if: { characteristic: Garage Door/CurrentDoorState, is: Closed }\n"),
        (["--set", "Garage Light/Brightness=40"], "    run: [{ set: Garage Light/Brightness, to: 40 }]\n"),
        (["--scene", "Movie Time"], "    run: [Movie Time]\n"),
        (
            ["--end-when", "garage door changes"],
            "      when: { characteristic: Garage Door/CurrentDoorState, changes: true }\n"
        ),
        (["--once"], "    once: true\n"), (["--disable"], "    enabled: false\n"),
    ]

    @Test func changedAutomationIsTheSameAfterExportAndImport() async throws {
        let home = try await HomeFixture.makeWithHome()
        func export() async throws -> String { try await home("export").output }
        let added = try await home.run([
            "add", "automation", "Light", "--at", "22:30", "--set", "Garage Light=on", "--if", "days: weekend",
            "--end-after", "1h 30min",
        ])
        #expect(added.status == 0, "\(added)")
        let start = try await export()
        var files = [start]
        for (arguments, written) in Self.changes {
            let changed = try await home.run(["change", "automation", "light"] + arguments)
            #expect(changed.status == 0, "\(arguments): \(changed)")
            files.append(try await export())
            #expect(files.last?.contains(written) == true, "\(arguments): \(files.last ?? "")")
        }
        for file in files {
            let other = try HomeFixture()
            #expect(try await other("import", try other.folder.write(file, to: "home.yaml")).status == 0)
            #expect(try await other("export").output == file)
        }
        let back = try await home.run([
            "change", "automation", "Light", "--no-if", "--no-end", "--enable", "--no-once", "--trigger", "time: 22:30",
            "--set", "Garage Light=on",
        ])
        #expect(back.output == "Light: at 22:30, every day: Garage Light/On = on.\n", "\(back)")
        #expect(
            try await export()
                .contains("    when: { time: \"22:30\" }\n    run: [{ set: Garage Light/On, to: true }]\nusers")
        )
        for arguments in [
            [], ["--no-if", "--if", "days: weekend"], ["--no-end", "--end-after", "5"], ["--arrives", "Bob"],
            ["--at", "22:30", "--served"],
        ] {
            let before = try await export()
            let refused = try await home.run(["change", "automation", "Light"] + arguments)
            #expect(refused.status == 64 && refused.isOneSentence, "\(refused)")
            #expect(try await export() == before)
        }
    }

    @Test func oneTimeOfDayReplacesOnlyTheTime() async throws {
        let home = try await HomeFixture.makeWithHome()
        let added = try await home.run([
            "add", "automation", "Light", "--at", "22:30", "--on", "weekend", "--arrives", "Ada", "--set",
            "Garage Light=on", "--if", "Garage Door=closed",
        ])
        #expect(added.status == 0, "\(added)")
        let before = try await home("export").output
        let changed = try await home("change", "automation", "Light", "--at", "21:15")
        #expect(changed.status == 0, "\(changed)")
        let after = try await home("export").output
        #expect(after != before && after == before.replacing("22:30", with: "21:15"))
        #expect(try await home("change", "automation", "Light", "--at", "21:15", "--on", "monday").status == 0)
        #expect(try await home("export").output.contains("monday"))
        for triggers in [["--arrives", "Ada"], ["--at", "7:00", "--at", "8:00"]] {
            #expect(try await home.run(["change", "automation", "Light"] + triggers).status == 0)
            let refused = try await home("change", "automation", "Light", "--at", "9:00")
            #expect(refused.status == 64 && refused.errors.contains("--trigger"), "\(refused)")
        }
        let shown = try await home("show", "automation", "Light")
        #expect(shown.output.hasPrefix("automation Light\n"), "\(shown)")
        #expect(try await home("show", "scene", "Light").status == 64)
    }
}
