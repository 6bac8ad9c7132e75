import AccessoryModel
import HAPCore
import Testing

@testable import HomeModel

/// Tests running scenes, and the states in which they are on.
struct SceneTests {
    @Test
    func everyServerGetsOneRequest() throws {
        var sample = try SampleHome()
        try sample.prepare()
        let bridged = try SampleHome.reference(5, aid: 3)
        let bridge = try sample.home.accessory(named: "Bridge").id
        try sample.edit { home throws(HomeError) in
            _ = try home.addAccessory(
                SampleHome.lamp("Path Lamp"),
                at: bridged,
                placed: AccessoryPlacement(bridge: bridge)
            )
        }
        let actions = try [
            sample.action("Porch Lamp", .on, true), sample.action("Garage Light", .on, 1),
            sample.action("Path Lamp", .brightness, 20), sample.action("Garage Door", .targetDoorState, true),
        ]
        let plan = ScenePlan(actions, in: try sample.home)
        #expect(plan.failures.isEmpty)
        #expect(plan.requests.map(\.server) == [bridged.server, try SampleHome.reference(1).server])
        #expect(plan.requests[0].writes.map(\.id.description) == ["2.11", "3.12"])
        #expect(plan.requests[1].writes.map(\.value) == [true, 1])
        #expect(plan.requests.allSatisfy { !$0.isTimed })
    }

    @Test
    func aRequestIsTimedIfACharacteristicRequiresIt() throws {
        var sample = try SampleHome()
        var lock = SampleHome.garage
        lock.services[1].characteristics[1].permissions.insert(.timedWrite)
        let garage = try #require(sample.accessories["Kilgo Garage"])
        try sample.edit { [lock] home throws(HomeError) in _ = try home.updateAccessory(garage, to: lock) }
        let light = try sample.action("Garage Light", .on, true)
        let door = try sample.action("Garage Door", .targetDoorState, 1)
        let lamp = try sample.action("Bedroom Lamp", .on, true)
        let plan = ScenePlan([light, door, lamp], in: try sample.home)
        #expect(plan.requests.map(\.isTimed) == [true, false])
        #expect(plan.requests.map(\.writes.count) == [2, 1])
    }

    @Test
    func unsendableActionsAreReportedAndTheRestRuns() throws {
        var sample = try SampleHome()
        let lamp = try sample.action("Bedroom Lamp", .on, true)
        let door = try sample.action("Garage Door", .targetDoorState, 1)
        let bedroom = try #require(sample.accessories["Bedroom Lamp"])
        try sample.edit { home throws(HomeError) in try home.setReference(nil, of: bedroom) }
        let nowhere = HomeAction(characteristic: .init(service: ObjectID(4711), type: .on), value: true)
        let plan = ScenePlan([lamp, nowhere, door], in: try sample.home)
        #expect(plan.requests.flatMap(\.actions) == [door])
        #expect(plan.failures.map(\.action) == [lamp, nowhere])
        #expect(plan.failures.map(\.error.code) == [.notFound, .unknownObject])
    }

    @Test
    func theLastOfTwoActionsForOneCharacteristicCounts() throws {
        let sample = try SampleHome()
        let actions = try [10, 20].map { try sample.action("Bedroom Lamp", .brightness, .integer($0)) }
        #expect(ScenePlan(actions, in: try sample.home).requests.flatMap(\.writes).map(\.value) == [20])
    }

    @Test
    func aSceneIsOnWhenAllOfItsValuesHold() throws {
        let sample = try SampleHome()
        let scene = HomeScene(
            id: ObjectID(1),
            name: try ObjectName("Scene"),
            content: SceneContent(
                actions: try [
                    sample.action("Bedroom Lamp", .on, 1), sample.action("Bedroom Lamp", .brightness, 10),
                    sample.action("Garage Door", .targetDoorState, false),
                ]
            )
        )
        let on = try sample.selector("Bedroom Lamp", .on)
        let brightness = try sample.selector("Bedroom Lamp", .brightness)
        let door = try sample.selector("Garage Door", .targetDoorState)
        var values: [CharacteristicSelector: CharacteristicValue] = [on: true, brightness: 10, door: 0]
        let home = try sample.home
        #expect(scene.state(in: home) { values[$0] } == SceneState(isOn: true, unread: []))
        values[brightness] = 11
        #expect(scene.state(in: home) { values[$0] } == SceneState(isOn: false, unread: []))
        values[brightness] = nil
        // With an unknown value, the scene is neither on nor off.
        #expect(scene.state(in: home) { values[$0] } == SceneState(isOn: nil, unread: [brightness]))
        values[on] = false
        #expect(scene.state(in: home) { values[$0] } == SceneState(isOn: false, unread: [brightness]))
        let empty = HomeScene(id: ObjectID(1), name: scene.name, content: SceneContent())
        #expect(empty.state(in: home) { values[$0] }.isOn == false)
    }

    static let primary: [(ServiceType, CharacteristicType?)] = [
        (.lightbulb, .on), (.switch, .on), (.outlet, .on), (.fan, .on), (.fanv2, .active),
        (.garageDoorOpener, .targetDoorState), (.lockMechanism, .lockTargetState), (.windowCovering, .targetPosition),
        (.thermostat, nil), (.temperatureSensor, nil), (.accessoryInformation, nil),
    ]

    @Test(arguments: primary)
    func servicesAreToggledByTheirPrimaryCharacteristic(_ type: ServiceType, _ characteristic: CharacteristicType?)
        throws
    {
        let primary = PrimaryCharacteristic.of(type)
        #expect(primary?.type == characteristic)
        guard let primary else { return }
        #expect(primary.toggled(from: primary.on) == primary.off)
        #expect(primary.toggled(from: primary.off) == primary.on)
        #expect(primary.toggled(from: nil) == primary.on)
        #expect(Catalog.service(type)?.required.contains(primary.type) == true)
    }

    @Test
    func anOutletAssociatedWithALightCountsAsALight() throws {
        var sample = try SampleHome()
        let outlet = try sample.service("Office Outlet").id
        try sample.edit { home throws(HomeError) in try home.setAssociatedType(.lightbulb, of: outlet) }
        let service = try sample.service("Office Outlet")
        #expect(service.effectiveType == .lightbulb && service.type == .outlet)
        #expect(service.primaryCharacteristic?.type == .on)
        #expect(try sample.home.services(describedBy: "office lights").map(\.id) == [outlet])
    }
}
