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
        let place = try await home("change", "home", "--latitude", "-33.87", "--longitude", "-151.2")
        #expect(place.status == 0, "\(place)")
        #expect(try await home("--json").output.contains(#""place":{"latitude":-33.87,"longitude":-151.2}"#))
        // The phrase is understood, but the heater refuses the value.
        let value = try await home("set", "Heater", "Target", "Temperature", "-5")
        #expect(value.status == 64 && value.errors.contains("TargetTemperature") == false, "\(value)")
        #expect(!value.errors.contains("Unknown option"), "\(value)")
        let option = try await home("set", "Heater", "--jsn", "5")
        #expect(option.status == 64 && option.errors.contains("Unknown option '--jsn'"), "\(option)")
        let added = try await home("add", "home", "South House", "--latitude", "-33", "--longitude", "151")
        #expect(added.status == 0, "\(added)")
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
        ["accessory", "Boiler", "Garage", "--group"], ["room", "Hall", "Downstairs", "--first"],
        ["home", "Test House", "--first", "--out"],
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

    @Test func locationOfAHomeAndKindOfAServiceAreChanged() async throws {
        let home = try await makeHome()
        let dark = try await home("add", "automation", "Evening", "--sunset", "0", "--set", "Coffee Outlet=on")
        #expect(dark.status == 64 && dark.errors.contains("hap home change home"), "\(dark)")
        #expect(try await home("change", "home").status == 64)
        let place = try await home(
            "change",
            "home",
            "--latitude",
            "50.11",
            "--longitude",
            "8.68",
            "--time-zone",
            "Europe/Berlin"
        )
        #expect(place.output == "Test House is at 50.11, 8.68, in the time zone Europe/Berlin.\n", "\(place)")
        #expect(
            try await home("add", "automation", "Evening", "--sunset", "0", "--set", "Coffee Outlet=on").status == 0
        )
        #expect(try await home("change", "home", "--primary").status == 64)
        #expect(try await home("add", "home", "Cabin").status == 0)
        for name in ["Cabin", "Test House"] {
            let primary = try await home("change", "home", "--home", name, "--primary")
            #expect(primary.output.hasPrefix("\(name) is the primary home"), "\(primary)")
            #expect(try await home().output.contains("\(name) (primary)\n"))
        }
        let lamp = try await home("change", "service", "Coffee Outlet", "--counts-as", "lightbulb")
        #expect(lamp.output == "Coffee Outlet counts as Light Bulb.\n", "\(lamp)")
        let back = try await home("change", "service", "Coffee Outlet", "--counts-as", "outlet")
        #expect(back.output == "Coffee Outlet counts as Outlet.\n", "\(back)")
        let wrong = try await home("change", "service", "Heater", "--counts-as", "fan")
        #expect(wrong.status == 64 && wrong.errors.contains("Only an outlet or a switch"), "\(wrong)")
    }

    @Test func actionsAndPurposeOfASceneAreChanged() async throws {
        let home = try await makeHome()
        let set = try await home(
            "change",
            "scene",
            "Movie Time",
            "--set",
            "Heater Target Temperature=18",
            "--set",
            "Coffee Outlet=off"
        )
        #expect(set.output.contains("= 18 °C, Coffee Outlet/On = off."), "\(set)")
        let removed = try await home("change", "scene", "Movie Time", "--remove", "Coffee Outlet")
        #expect(removed.status == 0 && !removed.output.contains("Coffee"), "\(removed)")
        let again = try await home("change", "scene", "Movie Time", "--remove", "Coffee Outlet")
        #expect(again.status == 64 && again.errors.contains("The scene does not set"), "\(again)")
        let taken = try await home("change", "scene", "Movie Time", "--kind", "sleep")
        #expect(taken.status == 64 && taken.errors.contains("Good Night"), "\(taken)")
        #expect(try await home("change", "scene", "Movie Time", "--kind", "wakeUp").status == 0)
        let fixed = try await home("change", "scene", "Movie Time", "--kind", "userDefined")
        #expect(fixed.status == 64 && fixed.errors.contains("hap home change scene"), "\(fixed)")
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
        #expect(try await home("add", "automation", "Warm", "--at", "07:00", "--set", "Heater=21").status == 0)
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
        ["move", "home", "Test House", "--first", "--home", "Test House"],
    ])
    func homeOptionIsRefusedWhereItHasNoMeaning(_ arguments: [String]) async throws {
        let home = try await makeHome()
        let refused = try await HapCommand(["home"] + arguments + ["--state", home.state]).outcome()
        #expect(refused.status == 64 && refused.errors.contains("leave out --home"), "\(refused)")
        #expect(try await home().output.hasPrefix("Test House (primary)"))
    }

    @Test(arguments: [
        (["move", "zone", "Downstairs", "Hall"], "(values: accessory, service, room, home)"),
        (
            ["remove", "service", "Heater"],
            "(values: home, room, zone, group, scene, automation, accessory, user)"
        ),
    ])
    func unsupportedChoiceIsNotOffered(_ arguments: [String], offered: String) async throws {
        let refused = try await HapCommand(["home"] + arguments).outcome()
        #expect(refused.status == 64 && refused.errors.contains("Please provide one of"), "\(refused)")
        let help = try await HapCommand(["home", arguments[0], "--help"]).outcome().output
        let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains(offered), "\(help)")
    }

    @Test(arguments: [["Heater", "200"], ["Heater", "TargetTemperature", "warm"]])
    func invalidValueListsTheValidOnes(_ words: [String]) async throws {
        let home = try await makeHome()
        let refused = try await HapCommand(["home", "set"] + words + ["--state", home.state]).outcome()
        #expect(refused.status == 64 && refused.errors.contains("a number from 10 to 38 °C"), "\(refused)")
    }
}
