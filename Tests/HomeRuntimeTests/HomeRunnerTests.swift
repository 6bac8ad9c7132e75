import AccessoryModel
import Documents
import HAPCore
import HAPServer
import HomeRuntime
import TestSupport
import Testing

@testable import HomeModel

@Suite("A running home, in the server process and over the network")
struct HomeRunnerTests {
    @Test(
        "sends one request to each server, timed if needed; a failed action is reported and stops no other",
        arguments: BackendKind.allCases
    )
    func runnerRunsScenes(on kind: BackendKind) async throws {
        try await BackendFixture.run(kind) { simulation in
            let home = await simulation.runner.home
            let actions = [
                try home.action("Reading Lamp", .on, true),
                try home.action("Faulty Lamp", .on, true),
                try home.action("Front Door", .lockTargetState, 0),
                try home.action("Reading Lamp", .brightness, 10),
            ]
            let results = await simulation.backend.run(actions, in: home)
            #expect(results.map(\.action) == actions)
            #expect(results.map(\.outcome) == [.succeeded, .refused(code: -70_402), .succeeded, .succeeded])
            #expect(simulation.backend.requests.count == 1)
            #expect(simulation.backend.requests.first?.isTimed == true)
            #expect(try await simulation.value("Reading Lamp", .on) == true)
            #expect(try await simulation.value("Reading Lamp", .brightness) == 10)
            #expect(try await simulation.value("Front Door", .lockTargetState) == 0)
            #expect(try await simulation.value("Faulty Lamp", .on) == false)
        }
    }

    @Test(
        "knows whether a scene is on, unless a value cannot be read and no other value shows that it is off",
        arguments: BackendKind.allCases
    )
    func runnerReadsSceneState(on kind: BackendKind) async throws {
        try await BackendFixture.run(kind) { simulation in
            var home = await simulation.runner.home
            let lamp = try home.action("Reading Lamp", .on, true)
            let absent = AccessoryReference(server: try #require(DeviceID("66:55:44:33:22:11")), aid: .primary)
            let service = RemoteService(
                named: "Absent Lamp",
                .lightbulb,
                iid: 1,
                characteristics: [RemoteCharacteristic(iid: 2, .on)]
            )
            _ = try home.addAccessory(RemoteAccessory(named: "Absent", services: [service]), at: absent)
            let missing = try home.action("Absent Lamp", .on, true)
            let name = try ObjectName("Evening")
            let scene = HomeScene(id: ObjectID(1), name: name, content: SceneContent(actions: [lamp]))
            let partial = HomeScene(id: ObjectID(2), name: name, content: SceneContent(actions: [lamp, missing]))
            // The scene is off because of the lamp, whatever the other value is.
            #expect(await simulation.backend.state(of: scene, in: home) == SceneState(isOn: false, unread: []))
            #expect(await simulation.backend.state(of: partial, in: home).isOn == false)
            _ = await simulation.backend.run([lamp], in: home)
            #expect(await simulation.backend.state(of: scene, in: home) == SceneState(isOn: true, unread: []))
            let unread = [missing.characteristic]
            #expect(await simulation.backend.state(of: partial, in: home) == SceneState(isOn: nil, unread: unread))
        }
    }

    @Test(
        "runs an automation when a value changes, and ends it when its time has passed",
        arguments: BackendKind.allCases
    )
    func runnerRunsAutomations(on kind: BackendKind) async throws {
        try await BackendFixture.run(kind) { home in
            try home.automate(
                "Light",
                when: .characteristic(home.selector("Window", .contactSensorState), .equals(1)),
                [home.action("Reading Lamp", .on, true)],
                end: EndEvent<HomeIDs>(.after(.seconds(300)), .actions([home.action("Reading Lamp", .on, false)]))
            )
        } body: { simulation in
            try await simulation.report(1, "Window", .contactSensorState)
            try await simulation.recorder.wait(forRuns: 1)
            #expect(try await simulation.value("Reading Lamp", .on) == true)
            simulation.clock.advance(by: .seconds(299))
            simulation.clock.advance(by: .seconds(1))
            try await simulation.recorder.wait(forRuns: 2)
            #expect(try await simulation.value("Reading Lamp", .on) == false)
            #expect(simulation.recorder.runs.flatMap { $0.map(\.outcome) } == [.succeeded, .succeeded])
        }
    }

    @Test(
        "runs on edges, not on levels: neither a first value nor a value that crosses no limit triggers a run",
        arguments: BackendKind.allCases
    )
    func runnerFiresOnlyOnChange(on kind: BackendKind) async throws {
        try await BackendFixture.run(kind) { home in
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
        } body: { simulation in
            try await simulation.report(24, "Outside", .currentTemperature)
            try await simulation.report(26, "Outside", .currentTemperature)
            try await simulation.recorder.wait(forRuns: 1)
            try await simulation.report(27, "Outside", .currentTemperature)
            try await simulation.recorder.wait(for: "27 degrees") { news in
                if case .value(_, 27) = news { true } else { false }
            }
            let ran = simulation.recorder.journal.filter { if case .ran = $0.event { true } else { false } }
            #expect(ran.map(\.name) == ["Hot"])
            #expect(try await simulation.value("Reading Lamp", .on) == false)
        }
    }

    @Test("runs at a time of day, and when a user leaves", arguments: BackendKind.allCases)
    func runnerFiresByTimeAndPresence(on kind: BackendKind) async throws {
        try await BackendFixture.run(kind) { home in
            let (one, name) = (try #require(CivilTime("13:00")), try ObjectName("Anna"))
            try home.automate("At one", when: .timeOfDay(one, .daily), [home.action("Reading Lamp", .on, true)])
            let user = try home.addUser(named: name, role: .owner)
            try home.setPresence(true, of: user)
            try home.automate("Leaving", when: .presence(.lastLeaves), [home.action("Reading Lamp", .on, false)])
        } body: { simulation in
            simulation.clock.advance(by: .seconds(3_600))
            try await simulation.recorder.wait(forRuns: 1)
            #expect(try await simulation.value("Reading Lamp", .on) == true)
            let anna = try #require(await simulation.runner.home.users.first?.id)
            await simulation.runner.setPresence(false, of: anna)
            try await simulation.recorder.wait(forRuns: 2)
            try await simulation.recorder.wait(for: "the edit is reported") {
                if case .edited = $0 { true } else { false }
            }
            #expect(try await simulation.value("Reading Lamp", .on) == false)
        }
    }

    @Test("continues with a home that is edited while it runs", arguments: BackendKind.allCases)
    func runnerAppliesEdits(on kind: BackendKind) async throws {
        try await BackendFixture.run(kind) { simulation in
            var home = await simulation.runner.home
            try home.automate(
                "New",
                when: .characteristic(home.selector("Window", .contactSensorState), .changes),
                [home.action("Reading Lamp", .on, true)]
            )
            await simulation.runner.replace(with: home)
            try await simulation.report(1, "Window", .contactSensorState)
            try await simulation.recorder.wait(forRuns: 1)
            #expect(try await simulation.value("Reading Lamp", .on) == true)
        }
    }

    @Test(
        "knows the values it wrote: the next change is an edge, and conditions use them",
        arguments: BackendKind.allCases
    )
    func runnerKnowsItsOwnWrites(on kind: BackendKind) async throws {
        try await BackendFixture.run(kind) { home in
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
        } body: { simulation in
            try await simulation.recorder.wait(for: "the first value of the lamp") { news in
                if case .value(_, 50) = news { true } else { false }
            }
            try await simulation.report(1, "Window", .contactSensorState)
            try await simulation.recorder.wait(forRuns: 2)
            #expect(try await simulation.value("Front Door", .lockTargetState) == 0)
            // A device changes the value, not the home.
            try await simulation.report(false, "Reading Lamp", .on)
            try await simulation.recorder.wait(forRuns: 3)
            #expect(try await simulation.value("Front Door", .lockTargetState) == 1)
        }
    }

    @Test("writes to a server in the order of the decisions", arguments: BackendKind.allCases)
    func runnerPreservesWriteOrder(on kind: BackendKind) async throws {
        try await BackendFixture.run(kind) { home in
            for value in 1...8 {
                try home.automate(
                    "Step \(value)",
                    when: .characteristic(home.selector("Window", .contactSensorState), .changes),
                    [home.action("Reading Lamp", .brightness, .integer(value))]
                )
            }
        } body: { simulation in
            try await simulation.report(1, "Window", .contactSensorState)
            try await simulation.recorder.wait(forRuns: 8)
            #expect(simulation.backend.requests.flatMap(\.writes).map(\.value) == (1...8).map { .integer($0) })
            #expect(try await simulation.value("Reading Lamp", .brightness) == 8)
        }
    }

    @Test("reports a server that cannot be reached, and continues to run actions on the others")
    func runnerSurvivesALostServer() async throws {
        try await BackendFixture.run(.network) { simulation in
            let home = await simulation.runner.home
            await simulation.sensor.stop()
            let gone = await simulation.sensor.information.deviceID
            try await simulation.recorder.wait(for: "the loss of the sensor") { news in
                if case .unreachable(gone, _) = news { true } else { false }
            }
            let results = await simulation.backend.run([try home.action("Reading Lamp", .on, true)], in: home)
            #expect(results.map(\.outcome) == [.succeeded])
        }
    }
}
