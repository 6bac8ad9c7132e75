import AccessoryModel
import HAPCore
import HAPServer
import HomeRuntime
import TestSupport
import Testing

@testable import HomeModel

@Suite("A home that runs, inside the servers and over the network")
struct HomeRunnerTests {
    @Test(
        "sends one request to each server, timed where needed; an action that fails is told and stops no other",
        arguments: WorldKind.allCases
    )
    func runsScenes(on kind: WorldKind) async throws {
        try await Stage.play(kind) { stage in
            let home = await stage.runner.home
            let actions = [
                try home.action("Reading Lamp", .on, true),
                try home.action("Faulty Lamp", .on, true),
                try home.action("Front Door", .lockTargetState, 0),
                try home.action("Reading Lamp", .brightness, 10),
            ]
            let results = await stage.world.run(actions, in: home)
            #expect(results.map(\.action) == actions)
            #expect(results.map(\.outcome) == [.done, .refused(code: -70_402), .done, .done])
            #expect(stage.world.requests.count == 1)
            #expect(stage.world.requests.first?.isTimed == true)
            #expect(try await stage.value("Reading Lamp", .on) == true)
            #expect(try await stage.value("Reading Lamp", .brightness) == 10)
            #expect(try await stage.value("Front Door", .lockTargetState) == 0)
            #expect(try await stage.value("Faulty Lamp", .on) == false)
        }
    }

    @Test(
        "knows whether a scene is on; not while a service of it cannot be read and none says that it is off",
        arguments: WorldKind.allCases
    )
    func readsWhetherASceneIsOn(on kind: WorldKind) async throws {
        try await Stage.play(kind) { stage in
            var home = await stage.runner.home
            let lamp = try home.action("Reading Lamp", .on, true)
            let absent = AccessoryReference(server: try #require(DeviceID("66:55:44:33:22:11")), aid: .primary)
            let service = RemoteService(
                named: "Absent Lamp",
                .lightbulb,
                iid: 1,
                characteristics: [RemoteCharacteristic(ofNumber: 2, .on)]
            )
            _ = try home.addAccessory(RemoteAccessory(named: "Absent", services: [service]), at: absent)
            let missing = try home.action("Absent Lamp", .on, true)
            let name = try ObjectName("Evening")
            let scene = HomeScene(id: ObjectID(1), name: name, content: SceneContent(actions: [lamp]))
            let partial = HomeScene(id: ObjectID(2), name: name, content: SceneContent(actions: [lamp, missing]))
            // Off, whatever the other one is.
            #expect(await stage.world.state(of: scene, in: home) == SceneState(isOn: false, unread: []))
            #expect(await stage.world.state(of: partial, in: home).isOn == false)
            _ = await stage.world.run([lamp], in: home)
            #expect(await stage.world.state(of: scene, in: home) == SceneState(isOn: true, unread: []))
            let unread = [missing.characteristic]
            #expect(await stage.world.state(of: partial, in: home) == SceneState(isOn: nil, unread: unread))
        }
    }

    @Test("runs an automation when a value changes, and its end when its time has come", arguments: WorldKind.allCases)
    func runsAutomations(on kind: WorldKind) async throws {
        try await Stage.play(kind) { home in
            try home.automate(
                "Light",
                when: .characteristic(home.selector("Window", .contactSensorState), .equals(1)),
                [home.action("Reading Lamp", .on, true)],
                end: EndEvent<HomeIDs>(.after(.seconds(300)), .actions([home.action("Reading Lamp", .on, false)]))
            )
        } body: { stage in
            try await stage.report(1, "Window", .contactSensorState)
            try await stage.recorder.wait(forRuns: 1)
            #expect(try await stage.value("Reading Lamp", .on) == true)
            stage.clock.advance(by: .seconds(299))
            stage.clock.advance(by: .seconds(1))
            try await stage.recorder.wait(forRuns: 2)
            #expect(try await stage.value("Reading Lamp", .on) == false)
            #expect(stage.recorder.runs.flatMap { $0.map(\.outcome) } == [.done, .done])
        }
    }

    @Test(
        "runs by edges, not by levels: the value at the beginning and what does not cross is no reason",
        arguments: WorldKind.allCases
    )
    func runsByEdges(on kind: WorldKind) async throws {
        try await Stage.play(kind) { home in
            let temperature = try home.selector("Outside", .currentTemperature)
            try home.automate(
                "Warm",
                when: .characteristic(temperature, .above(15)),
                [home.action("Reading Lamp", .on, true)]
            )
            try home.automate(
                "Hot",
                when: .characteristic(temperature, .above(25)),
                [home.action("Reading Lamp", .brightness, 100)]
            )
        } body: { stage in
            try await stage.report(24, "Outside", .currentTemperature)
            try await stage.report(26, "Outside", .currentTemperature)
            try await stage.recorder.wait(forRuns: 1)
            try await stage.report(27, "Outside", .currentTemperature)
            try await stage.recorder.wait(for: "27 degrees") { news in
                if case .value(_, 27) = news { true } else { false }
            }
            let ran = stage.recorder.journal.filter { if case .ran = $0.event { true } else { false } }
            #expect(ran.map(\.name) == ["Hot"])
            #expect(try await stage.value("Reading Lamp", .on) == false)
        }
    }

    @Test("runs at a time of the day, and when somebody comes", arguments: WorldKind.allCases)
    func runsByTimeAndPresence(on kind: WorldKind) async throws {
        try await Stage.play(kind) { home in
            let (one, name) = (try #require(CivilTime("13:00")), try ObjectName("Anna"))
            try home.automate("At one", when: .timeOfDay(one, .daily), [home.action("Reading Lamp", .on, true)])
            let user = try home.addUser(named: name, role: .owner)
            try home.setPresence(true, of: user)
            try home.automate("Leaving", when: .presence(.lastLeaves), [home.action("Reading Lamp", .on, false)])
        } body: { stage in
            stage.clock.advance(by: .seconds(3_600))
            try await stage.recorder.wait(forRuns: 1)
            #expect(try await stage.value("Reading Lamp", .on) == true)
            let anna = try #require(await stage.runner.home.users.first?.id)
            await stage.runner.setPresence(false, of: anna)
            try await stage.recorder.wait(forRuns: 2)
            #expect(try await stage.value("Reading Lamp", .on) == false)
        }
    }

    @Test("goes on with a home that is edited while it runs", arguments: WorldKind.allCases)
    func takesEdits(on kind: WorldKind) async throws {
        try await Stage.play(kind) { stage in
            var home = await stage.runner.home
            try home.automate(
                "New",
                when: .characteristic(home.selector("Window", .contactSensorState), .changes),
                [home.action("Reading Lamp", .on, true)]
            )
            await stage.runner.replace(with: home)
            try await stage.report(1, "Window", .contactSensorState)
            try await stage.recorder.wait(forRuns: 1)
            #expect(try await stage.value("Reading Lamp", .on) == true)
        }
    }

    @Test(
        "knows what it has written itself: the next change is one, and conditions see it",
        arguments: WorldKind.allCases
    )
    func knowsWhatItHasWritten(on kind: WorldKind) async throws {
        try await Stage.play(kind) { home in
            let window = try home.selector("Window", .contactSensorState)
            let lamp = try home.selector("Reading Lamp", .on)
            let brightness = try home.selector("Reading Lamp", .brightness)
            try home.automate(
                "Light it",
                when: .characteristic(window, .equals(1)),
                [home.action("Reading Lamp", .on, true), home.action("Reading Lamp", .brightness, 20)]
            )
            try home.automate(
                "It is lit",
                when: .characteristic(lamp, .equals(true)),
                [home.action("Front Door", .lockTargetState, 0)]
            )
            try home.automate(
                "It is dark",
                when: .characteristic(lamp, .equals(false)),
                if: .characteristic(brightness, .equals(20)),
                [home.action("Front Door", .lockTargetState, 1)]
            )
        } body: { stage in
            try await stage.recorder.wait(for: "the first value of the lamp") { news in
                if case .value(_, 50) = news { true } else { false }
            }
            try await stage.report(1, "Window", .contactSensorState)
            try await stage.recorder.wait(forRuns: 2)
            #expect(try await stage.value("Front Door", .lockTargetState) == 0)
            // Somebody else, without the home.
            try await stage.report(false, "Reading Lamp", .on)
            try await stage.recorder.wait(forRuns: 3)
            #expect(try await stage.value("Front Door", .lockTargetState) == 1)
        }
    }

    @Test("writes to one server in the order in which it was decided", arguments: WorldKind.allCases)
    func keepsOrder(on kind: WorldKind) async throws {
        try await Stage.play(kind) { home in
            for value in 1...8 {
                try home.automate(
                    "Step \(value)",
                    when: .characteristic(home.selector("Window", .contactSensorState), .changes),
                    [home.action("Reading Lamp", .brightness, .integer(value))]
                )
            }
        } body: { stage in
            try await stage.report(1, "Window", .contactSensorState)
            try await stage.recorder.wait(forRuns: 8)
            #expect(stage.world.requests.flatMap(\.writes).map(\.value) == (1...8).map { .integer($0) })
            #expect(try await stage.value("Reading Lamp", .brightness) == 8)
        }
    }

    @Test("says that a server cannot be reached, what could not be done for it, and does the rest")
    func survivesLoss() async throws {
        try await Stage.play(.network) { stage in
            let home = await stage.runner.home
            await stage.sensor.stop()
            let gone = await stage.sensor.information.deviceID
            try await stage.recorder.wait(for: "the loss of the sensor") { news in
                if case .unreachable(gone, _) = news { true } else { false }
            }
            let results = await stage.world.run([try home.action("Reading Lamp", .on, true)], in: home)
            #expect(results.map(\.outcome) == [.done])
        }
    }
}
