import AccessoryModel
import HAPCore
import HomeModel
import Testing
import WebConsole

@testable import hap

/// The warnings about automations that run twice on the same accessories.
@Suite struct RepeatedAutomationsTests {
    private static let other = """
        {"name": "Twin", "rooms": [{"name": "Hall", "services": [{"name": "Light", "deviceID": "AB:CD:EF:01:23:45",
        "aid": 1}]}], "automations": [{"name": "Night", "enabled": true}, {"name": "Day", "enabled": true},
        {"name": "Off", "enabled": false}]}
        """
    private let process = RunningProcess(.serve, in: "/state")
    private var own = ComparedHome(Home(id: ObjectID(1), name: .entireHome))

    init() throws {
        let server = try #require(DeviceID("AB:CD:EF:01:23:45"))
        own.accessories = [AccessoryReference(server: server, aid: try #require(AccessoryID(1)))]
        own.automations = [ObjectName.key(of: "Night"), ObjectName.key(of: "Off")]
    }

    private func found(_ json: String, like home: ComparedHome) throws -> RepeatedAutomations.Other? {
        RepeatedAutomations.Other(process, running: try JSONValue(parsing: Array(json.utf8)).object, like: home)
    }

    @Test func enabledAutomationsOfTheSameNameOnTheSameAccessoriesCount() throws {
        #expect(try found(Self.other, like: own)?.automations == ["Night"])
        var stranger = own
        stranger.accessories = [AccessoryReference(server: try #require(DeviceID("00:00:00:00:00:01")), aid: .primary)]
        #expect(try found(Self.other, like: stranger) == nil)
        #expect(try found("{}", like: own) == nil)
        #expect(try found("[]", like: own) == nil)
    }

    @Test func eachIsReportedOnceUntilItEnds() throws {
        var repeated = RepeatedAutomations()
        let night = try #require(try found(Self.other, like: own))
        let first = repeated.warnings(about: [night])
        #expect(first.count == 1 && first[0].hasPrefix("Night runs twice on the same accessories: here, and in Twin, "))
        #expect(repeated.warnings(about: [night]) == [])
        var more = own
        more.automations.insert(ObjectName.key(of: "Day"))
        let both = try #require(try found(Self.other, like: more))
        #expect(repeated.warnings(about: [both]).map { $0.hasPrefix("Day runs twice") } == [true])
        #expect(repeated.warnings(about: [night]) == [])
        #expect(repeated.warnings(about: []) == [])
        #expect(repeated.warnings(about: [both]).map { $0.hasPrefix("Night and Day run twice") } == [true])
    }
}
