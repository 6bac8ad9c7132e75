import Discovery
import HAPCore
import Hosting
import Resources
import Testing

@testable import hap

struct DiscoverTests {
    private static let garage = DiscoveredAccessory(
        name: "Kilgo\u{1B}[2J Garage\n",
        host: "garage.local",
        addresses: ["192.0.2.1", "fe80::1%2"],
        port: 51_826,
        text: ["id": "C8:D8:58:C6:63:F5", "ci": "4", "sf": "1", "c#": "2", "md": "KG-100", "x": "\"y\""]
    )
    private static let mystery = DiscoveredAccessory(
        name: "Lamp",
        host: "lamp.local",
        addresses: ["2001:db8::1"],
        port: 80,
        text: ["id": "odd"]
    )

    @Test func tableShowsKnownValuesAndNoTerminalControls() {
        var survey = DiscoveryResults()
        for update in [.available, .appeared(Self.mystery), .appeared(Self.garage), .allForNow] as [DiscoveryUpdate] {
            survey.handle(update)
        }
        #expect(survey.isComplete)
        #expect(
            survey.text == """
                Name               Device ID          Category          Paired  Address           Model   c#
                Kilgo?[2J Garage?  C8:D8:58:C6:63:F5  GarageDoorOpener  no      192.0.2.1:51826   KG-100  2
                Lamp               odd                -                 -       [2001:db8::1]:80  -       -

                """
        )
    }

    @Test func jsonHasKnownValuesAndNullForOthers() throws {
        var survey = DiscoveryResults()
        survey.handle(.appeared(Self.garage))
        survey.handle(.appeared(Self.mystery))
        let value = try JSONValue(parsing: Array(DiscoveryResults.format.json(survey).utf8))
        let accessories = try #require(value.object?["accessories"]?.array)
        #expect(accessories.count == 2)
        let garage = try #require(accessories.first?.object)
        #expect(garage["name"]?.string == Self.garage.name)
        #expect(garage["deviceID"]?.string == "C8:D8:58:C6:63:F5")
        #expect(garage["paired"]?.bool == false)
        #expect(garage["addresses"]?.array?.count == 2)
        #expect(garage["port"]?.unsigned == 51_826)
        #expect(garage["configurationNumber"]?.unsigned == 2)
        #expect(garage["text"]?.object?["x"]?.string == "\"y\"")
        let mystery = try #require(accessories.last?.object)
        #expect(mystery["deviceID"] == .some(.null))
        #expect(mystery["paired"] == .some(.null))
        #expect(mystery["text"]?.object?["id"]?.string == "odd")
    }

    @Test func onlyRealChangesPrintALine() throws {
        let time = #/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  /#
        let text = try #require(DiscoveryUpdate.disappeared(Self.mystery).line)
        #expect(
            text.trimmingPrefix(time) == "- Lamp  odd  -  -  [2001:db8::1]:80  -  -\n"
                && text.prefixMatch(of: time) != nil
        )
        #expect(DiscoveryUpdate.allForNow.line == nil)
        let line = try #require(DiscoveryUpdate.changed(Self.garage).jsonLine)
        #expect(line.hasSuffix("}\n") && line.count { $0 == "\n" } == 1)
        let value = try JSONValue(parsing: Array(line.dropLast().utf8))
        #expect(value.object?["event"]?.string == "changed")
        #expect(value.object?["accessory"]?.object?["port"]?.unsigned == 51_826)
    }

    @Test func emptyResultIsASentence() {
        var survey = DiscoveryResults()
        survey.handle(.available)
        #expect(survey.text == "No accessory announces itself on this network.\n")
        #expect(survey.failure == nil)
    }
}
