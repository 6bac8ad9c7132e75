import Foundation
import TestSupport
import Testing

/// The commands that change a home whose accessories are not found yet.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HomeCommandTests {
    private static let file = """
        home: Test House
        rooms: [Garage, Hall]
        zones:
          Downstairs: [Hall]
        accessories:
          - accessory: Garage Unit
            room: Garage
            services:
              GarageDoorOpener: Garage Door
          - accessory: Boiler
            room: Hall
            services:
              Thermostat: Heater
              Outlet: Coffee Outlet
          - accessory: Doorbell
            room: Hall
            category: VideoDoorbell
        scenes:
          Movie Time:
            - { set: Heater/TargetTemperature, to: 20 }
          Good Night:
            kind: sleep
            actions: []
        users:
          Ada: owner

        """

    private func makeHome() async throws -> HomeCommandFixture {
        try await HomeCommandFixture(Self.file)
    }

    @Test func negativeNumbersAreNoOptions() async throws {
        let home = try await makeHome()
        // The phrase is understood, but the heater refuses the value.
        let value = try await home("set", "Heater", "Target", "Temperature", "-5")
        #expect(value.status == 64 && value.errors.contains("TargetTemperature") == false, "\(value)")
        #expect(!value.errors.contains("Unknown option"), "\(value)")
        let option = try await home("set", "Heater", "--jsn", "5")
        #expect(option.status == 64 && option.errors.contains("Unknown option '--jsn'"), "\(option)")
    }

    @Test func listAcceptsKindsAndDescriptions() async throws {
        let home = try await makeHome()
        #expect(try await home("list", "rooms").output == "Garage\nHall\n")
        #expect(try await home("list", "accessory").output == "Garage Unit\nBoiler\nDoorbell\n")
        #expect(try await home("list", "the", "outlets").output == "Coffee Outlet\n")
        #expect(try await home("list", "Hall", "--json").output.contains(#""services":["Heater","Coffee Outlet""#))
        let unknown = try await home("list", "lihgts")
        #expect(unknown.status == 64 && unknown.output.isEmpty && unknown.errors.contains("\"lihgts\""), "\(unknown)")
        let users = try await home("list", "is", "Ada", "home")
        #expect(users.status == 64 && users.isOneSentence, "\(users)")
    }

    @Test(arguments: [
        ["accessory", "Boiler", "Garage", "--out"], ["room", "Hall", "Downstairs", "--group"],
        ["accessory", "Boiler", "Garage", "--group"], ["room", "Hall"], ["home", "Test House", "Hall"],
        ["zone", "Downstairs", "Hall"],
    ])
    func invalidMoveIsRefused(_ arguments: [String]) async throws {
        let home = try await makeHome()
        let before = try await home("--json").output
        let moved = try await HapCommand(["home", "move"] + arguments + ["--state", home.state]).outcome()
        #expect(moved.status == 64 && moved.output.isEmpty, "\(moved)")
        #expect(try await home("--json").output == before)
    }

    @Test func existingFileIsReplacedOnlyOnRequest() async throws {
        let home = try await makeHome()
        let path = try home.folder.write("kept", to: "house.yaml")
        let refused = try await home("export", path)
        #expect(refused.status == 1 && refused.isOneSentence && refused.errors.contains("--force"), "\(refused)")
        #expect(try await home("export", path, "--force").status == 0)
    }

    @Test func placeOfAHomeAndKindOfAServiceAreChanged() async throws {
        let home = try await makeHome()
        let evening = "{ when: { sun: sunset }, run: [{ set: Coffee Outlet/On, to: on }] }"
        let dark = try await home("add", "automation", "Evening", evening)
        #expect(dark.status == 64 && dark.errors.contains("latitude and longitude"), "\(dark)")
        let place = try await home(
            "change",
            "home",
            "Test House",
            "{ place: { latitude: 50.11, longitude: 8.68 }, timeZone: Europe/Berlin }"
        )
        #expect(
            place.output == "The home is now at 50.11, 8.68.\nThe home's time zone is now Europe/Berlin.\n",
            "\(place)"
        )
        #expect(try await home("add", "automation", "Evening", evening).status == 0)
        #expect(try await home("add", "home", "Cabin").status == 0)
        for name in ["Cabin", "Test House"] {
            let primary = try await home("change", "home", name, "{ primary: true }")
            #expect(primary.output == "\(name) is now the primary home.\n", "\(primary)")
            #expect(try await home().output.contains("\(name) (primary)\n"))
        }
        let lamp = try await home("change", "service", "Coffee Outlet", "{ as: Lightbulb }")
        #expect(lamp.output == "The service Coffee Outlet counts as Lightbulb.\n", "\(lamp)")
        let back = try await home("change", "service", "Coffee Outlet", "{ as: null }")
        #expect(back.output == "The service Coffee Outlet counts as Outlet.\n", "\(back)")
        let wrong = try await home("change", "service", "Heater", "{ as: Fan }")
        #expect(wrong.status == 64 && wrong.errors.contains("nly an outlet or a switch"), "\(wrong)")
    }

    @Test func actionsAndPurposeOfASceneAreChanged() async throws {
        let home = try await makeHome()
        let set = try await home(
            "change",
            "scene",
            "Movie Time",
            "[{ set: heater/target temperature, to: 18 }, { set: Coffee Outlet/On, to: off }]"
        )
        #expect(set.output == "The scene Movie Time now has 2 actions.\n", "\(set)")
        let taken = try await home("change", "scene", "Movie Time", "{ kind: sleep }")
        #expect(taken.status == 64 && taken.errors.contains("Good Night"), "\(taken)")
        #expect(try await home("change", "scene", "Movie Time", "{ kind: wakeUp }").status == 0)
        let fixed = try await home("change", "scene", "Good Night", "{ kind: null }")
        #expect(fixed.status == 64 && fixed.errors.contains("kind: sleep"), "\(fixed)")
        #expect(try await home("change", "scene", "Movie Time").status == 64)
    }

    @Test func missingAccessoriesAreShown() async throws {
        let home = try await makeHome()
        let tree = try await home().output
        #expect(tree.contains(#/Doorbell +VideoDoorbell +not found yet/#), "\(tree)")
        #expect(tree.contains(#/Heater +Thermostat +Boiler +not found yet/#), "\(tree)")
        let json = try await home("--json").output
        #expect(json.contains(#""name":"Doorbell","room":"Hall","found":false,"services":[]"#), "\(json)")
    }

    @Test func unreadableSceneStateIsUnknown() async throws {
        let home = try await makeHome()
        let state = try await home("scene", "state", "Movie Time")
        #expect(state.status == 69 && state.isOneSentence && state.errors.contains("Heater cannot be read"), "\(state)")
        let json = try await home("scene", "state", "Movie Time", "--json")
        #expect(json.status == 69 && json.output.contains(#""on":null,"unread":["Heater"]"#), "\(json)")
    }

    @Test func failedActionIsReportedOnce() async throws {
        let home = try await makeHome()
        let text = try await home("scene", "run", "Movie Time")
        #expect(text.status != 0 && text.errors == "hap: 1 of 1 action failed.\n", "\(text)")
        let json = try await home("scene", "run", "Movie Time", "--json")
        #expect(json.output.contains(#""outcome":"notSent","message":""#), "\(json)")
    }

    @Test func dryRunReportsWhatARemovalAffects() async throws {
        let home = try await makeHome()
        #expect(
            try await home(
                "add",
                "automation",
                "Warm",
                "{ when: { time: 07:00 }, run: [{ set: Heater/TargetTemperature, to: 21 }] }"
            )
            .status == 0
        )
        let before = try await home("--json").output
        let reported = try await home("remove", "accessory", "Boiler", "--dry-run")
        #expect(
            reported.status == 0 && reported.output.contains("would be removed; nothing was changed."),
            "\(reported)"
        )
        #expect(reported.output.contains("\nThe automation Warm is removed: "), "\(reported)")
        #expect(reported.output.contains("\nThe scene Movie Time no longer sets "), "\(reported)")
        #expect(try await home("--json").output == before)
        let removed = try await home("remove", "accessory", "Boiler")
        #expect(removed.output.split(separator: "\n").dropFirst() == reported.output.split(separator: "\n").dropFirst())
        #expect(try await home("--json").output != before)
    }

    @Test(arguments: [
        ["remove", "home", "Test House", "--home", "Test House"],
        ["rename", "home", "Test House", "Other", "--home", "Test House"],
        ["change", "home", "Test House", "{}", "--home", "Test House"],
        ["add", "home", "Other", "--home", "Test House"], ["edit", "home", "Test House", "--home", "Test House"],
    ])
    func homeOptionIsRefusedWhereItHasNoMeaning(_ arguments: [String]) async throws {
        let home = try await makeHome()
        let refused = try await HapCommand(["home"] + arguments + ["--state", home.state]).outcome()
        #expect(refused.status == 64 && refused.errors.contains("leave out --home"), "\(refused)")
        #expect(try await home().output.hasPrefix("Test House (primary)"))
    }

    @Test(arguments: [
        (["move", "zone", "Downstairs", "Hall"], "an accessory, a service or a room"),
        (["remove", "service", "Heater"], "with its accessory"), (["change", "room", "Hall", "{}"], "hap home rename"),
    ])
    func unsupportedKindIsRefusedWithItsReason(_ arguments: [String], reason: String) async throws {
        let refused = try await HapCommand(["home"] + arguments).outcome()
        #expect(refused.status == 64 && refused.isOneSentence && refused.errors.contains(reason), "\(refused)")
    }

    @Test(arguments: [["Heater", "200"], ["Heater", "TargetTemperature", "warm"]])
    func invalidValueListsTheValidOnes(_ words: [String]) async throws {
        let home = try await makeHome()
        let refused = try await HapCommand(["home", "set"] + words + ["--state", home.state]).outcome()
        #expect(refused.status == 64 && refused.errors.contains("a number from 10 to 38 °C"), "\(refused)")
    }
}
