import AccessoryModel
import HAPCore
import HomeModel
import Hosting
import Resources
import Testing

@testable import hap

/// The listing of a home, for people and for scripts.
@Suite struct HomeListingTests {
    private static let automation = """
        automations:
          Warm up:
            when: { time: 07:00, on: workdays }
            if: { home: Ada }
            run: [Movie Time, { set: Heater/TargetTemperature, to: 21 }]
            end: { after: 1min, restore: true }
            enabled: false

        """

    @Test func homeIsATree() throws {
        #expect(
            HomeListing.text(of: try SampleHouse.home(Self.automation), isPrimary: true) == """
                Test House (primary)
                  Garage
                    Garage Door   Garage Door Opener  Garage Unit  not found yet
                    Garage Light  Light Bulb          Garage Unit  not found yet
                  Hall
                    Heater  Thermostat  Boiler  not found yet
                  Zones
                    Downstairs  Garage, Hall
                  Groups
                    Warm Things  Heater
                  Scenes
                    Movie Time  Garage Light/On = off
                  Automations
                    Warm up  disabled: at 07:00, on workdays, if Ada is home: Movie Time, \
                Heater/Target Temperature = 21 °C; after 1 min: as it was before
                  Users
                    Ada  owner

                """
        )
    }

    @Test func emptyHomeIsItsName() throws {
        let home = Home(id: ObjectID(1), name: try ObjectName("Empty House"))
        #expect(HomeListing.text(of: home, isPrimary: false) == "Empty House\n")
    }

    @Test func jsonHasTheSameContent() throws {
        let home = try SampleHouse.home(Self.automation)
        let resource = HomesResource([HomeResource(home, isPrimary: true, paired: nil)])
        let text = HomesResource.format.json(resource)
        let homes = try #require(try JSONValue(parsing: Array(text.utf8)).object?["homes"]?.array)
        #expect(homes.count == 1)
        let shown = try #require(homes.first?.object)
        #expect(shown["name"]?.string == "Test House")
        #expect(shown["primary"]?.bool == true)
        let rooms = try #require(shown["rooms"]?.array).compactMap(\.object)
        #expect(rooms.map { $0["name"]?.string } == ["Garage", "Hall", "Default Room"])
        let services = try #require(rooms[0]["services"]?.array).compactMap(\.object)
        #expect(services.map { $0["name"]?.string } == ["Garage Door", "Garage Light"])
        #expect(services[0]["accessory"]?.string == "Garage Unit")
        // It was not found yet.
        #expect(services[0]["deviceID"] == nil)
        let scene = try #require(shown["scenes"]?.array?.first?.object)
        #expect(scene["actions"]?.array?.first?.object?["set"]?.string == "Garage Light/On")
        #expect(scene["actions"]?.array?.first?.object?["to"]?.bool == false)
        let automation = try #require(shown["automations"]?.array?.first?.object)
        #expect(automation["enabled"]?.bool == false)
        #expect(automation["triggers"] == ["at 07:00, on workdays"])
        #expect(shown["users"]?.array?.first?.object?["role"]?.string == "owner")
    }

    @Test(arguments: [
        (
            "{ characteristic: Garage Door/CurrentDoorState, becomes: Opening }",
            "when Garage Door/Current Door State becomes Opening"
        ),
        ("{ characteristic: Garage Light/On, becomes: true }", "when Garage Light/On becomes on"),
        ("{ characteristic: Heater/CurrentTemperature, above: 25 }", "when Heater/Current Temperature is above 25 °C"),
        ("{ characteristic: Garage Light/On, changes: true }", "when Garage Light/On changes"),
        ("{ time: 07:30 }", "at 07:30, every day"), ("{ sun: sunset }", "at sunset, every day"),
        ("{ sun: sunset - 15min }", "15 min before sunset, every day"),
        ("{ sun: sunrise + 1h }", "1 h after sunrise, every day"),
        ("{ date: 2027-01-01 00:00 }", "at 2027-01-01 00:00, once"),
        ("{ presence: firstArrives }", "when the first user arrives"),
        ("{ presence: lastLeaves }", "when the last user leaves"),
        ("{ presence: everyoneArrives }", "when all users are home"),
        ("{ arrives: Ada }", "when Ada arrives"), ("{ leaves: Ada }", "when Ada leaves"),
        ("{ interval: 2min }", "every 2 min"),
    ])
    func everyTriggerHasADescription(trigger: String, words: String) throws {
        let home = try SampleHouse.home("automations:\n  It: { when: \(trigger), run: [Movie Time] }\n")
        #expect(home.text(of: try #require(home.automations.first).triggers) == words)
    }

    @Test(arguments: [
        ("{ after: sunset - 90min, before: 06:00 }", "it is between 1 h 30 min before sunset and 06:00"),
        ("{ days: weekend }", "it is at the weekend"), ("{ presence: noOne }", "no one is home"),
        ("{ characteristic: Garage Light/On, is: 1 }", "Garage Light/On is on"),
        (
            "{ characteristic: Heater/CurrentTemperature, within: 18...24 }",
            "Heater/Current Temperature is within 18 to 24 °C"
        ),
        ("{ not: { characteristic: Garage Light/On, is: true } }", "Garage Light/On is not on"),
        ("{ not: { not: { home: Ada } } }", "Ada is home"), ("{ not: { presence: anyone } }", "no one is home"),
        ("{ not: { any: [{ home: Ada }, { days: weekend }] } }", "Ada is not home and it is not at the weekend"),
        (
            "{ all: [{ days: weekend }, { any: [{ home: Ada }, { not: { presence: everyone } }] }] }",
            "it is at the weekend and (Ada is home or not everyone is home)"
        ),
    ])
    func everyConditionHasADescription(condition: String, words: String) throws {
        let file = "automations:\n  It: { when: { time: 07:00 }, if: \(condition), run: [Movie Time] }\n"
        let automation = try #require(try SampleHouse.home(file).automations.first)
        #expect(try SampleHouse.home(file).text(of: try #require(automation.condition)) == words)
    }

    @Test func missingObjectsAreMarked() throws {
        let home = try SampleHouse.home()
        let selector = CharacteristicSelector(service: ObjectID(4_711), type: .on)
        #expect(home.text(of: selector).hasPrefix("a removed service/"))
        #expect(home.text(of: nil, for: selector) == "–")
    }
}
