import Documents
import Foundation
import HAPCore
import HTTPTypes
import HostTestSupport
import Hosting
import TestSupport
import Testing

@testable import WebConsole

/// Objects of a served home that the API edits.
struct HomeEditEndpointTests {
    private let folder: TemporaryFolder
    private let console: Console

    private static let file = """
        # Ours.
        home: House
        rooms: [Garage, Hall]
        scenes:
          # For the night.
          Night: [{ set: Garage Light/On, to: off }]
        automations:
          Bedtime: { when: { time: 22:30 }, run: [Night] }
        accessories:
          - accessory: Kilgo Garage
            services: { GarageDoorOpener: Garage Door, Lightbulb: Garage Light }

        """

    init() async throws {
        folder = try TemporaryFolder()
        let source = HomeSource(NamedFile(try folder.write(Self.file, to: "home.yaml")))
        let host = try await AccessoryHost.garages(1)
        let home = try await ServedHome(source, on: host, keptIn: folder("state"))
        let served = ConsoleHome(home.runner, in: home.store, file: home.file)
        console = Console(of: "serve", version: "1", EventJournal(), host: host, home: served)
    }

    private var text: String {
        (try? String(contentsOfFile: folder("home.yaml"), encoding: .utf8)) ?? ""
    }

    private func edit(_ body: String) async throws -> JSONObject? {
        try await console.respond(.post, "api/v1/home/edit", body).object
    }

    private func object(_ path: String) async throws -> JSONObject {
        try #require(try await console.respond(.get, "api/v1/home/objects/\(path)").object)
    }

    @Test func eachOperationChangesTheFileAndKeepsItsComments() async throws {
        _ = try await edit(#"{"operation": "add", "kind": "room", "name": "Attic"}"#)
        _ = try await edit(
            #"{"operation": "change", "kind": "accessory", "name": "Kilgo Garage", "content": "{ room: Attic }"}"#
        )
        _ = try await edit(#"{"operation": "rename", "kind": "scene", "name": "Night", "newName": "Sleep"}"#)
        let changed = try await edit(
            #"{"operation": "replace", "kind": "automation", "name": "Bedtime", "content": "{ when: { time: 23:00 }, run: [Sleep] }"}"#
        )
        #expect(changed?["message"]?.string == "Changed the automation Bedtime.")
        #expect(changed?["effects"]?.array?.first?.string == "The automation Bedtime now runs at 23:00, every day.")
        _ = try await edit(#"{"operation": "remove", "kind": "room", "name": "Hall"}"#)
        #expect(text.hasPrefix("# Ours.\n") && text.contains("# For the night.\n  Sleep:"))
        #expect(text.contains("rooms: [Garage, Attic]") && text.contains("room: Attic") && text.contains("23:00"))
    }

    @Test func servedAccessoryIsAddedByItsName() async throws {
        _ = try await edit(#"{"operation": "remove", "kind": "accessory", "name": "Kilgo Garage"}"#)
        #expect(!text.contains("Kilgo Garage"))
        _ = try await edit(
            #"{"operation": "add", "kind": "accessory", "name": "Kilgo Garage", "content": "{ room: Hall }"}"#
        )
        #expect(text.contains("- accessory: Kilgo Garage\n    room: Hall"))
    }

    @Test func objectIsReturnedAsTheFileHasIt() async throws {
        let scene = try await object("scene/night")
        #expect(scene["name"]?.string == "Night")
        #expect(scene["content"]?.string == "- { set: Garage Light/On, to: false }\n")
        for (path, code) in [("scene/Day", "unknown-name"), ("home/House", "not-found")] {
            await #expect {
                try await object(path)
            } throws: {
                ($0 as? Problem)?.code == code
            }
        }
    }

    @Test func editOfAnEarlierFileIsRefusedWithTheRevisionOnDisk() async throws {
        let scene = try await object("scene/Night")
        let revision = try #require(scene["revision"]?.string)
        _ = try folder.write(Self.file + "zones: { Below: [Garage] }\n", to: "home.yaml")
        let later = try #require(try await object("scene/Night")["revision"]?.string)
        await #expect {
            try await edit(
                #"{"operation": "replace", "kind": "scene", "name": "Night", "content": "[]", "revision": "\#(revision)"}"#
            )
        } throws: { error in
            let problem = error as? Problem
            return problem?.code == "changed" && problem?.revision == later
        }
        #expect(text.contains("Garage Light/On, to: off") && revision != later)
    }

    @Test func errorHasItsPlaceInTheContent() async throws {
        await #expect {
            try await edit(
                #"{"operation": "change", "kind": "automation", "name": "Bedtime", "content": "when:\n  time: 25:00\n"}"#
            )
        } throws: { error in
            let found = (error as? Problem)?.diagnostics.first
            return found?.position?.line == 2 && found?.position?.column == 9
        }
        #expect(text == Self.file)
    }

    @Test(arguments: [
        (#"{"operation": "change", "kind": "room", "name": "Hall", "content": "{}"}"#, 400, "invalid"),
        (#"{"operation": "change", "kind": "scene", "name": "Night"}"#, 400, "invalid"),
        (#"{"operation": "rename", "kind": "scene", "name": "Night"}"#, 400, "invalid"),
        (#"{"operation": "remove", "kind": "service", "name": "Garage Light"}"#, 400, "invalid"),
        (#"{"operation": "add", "kind": "service", "name": "Lamp"}"#, 400, "invalid"),
        (#"{"operation": "add", "kind": "room", "name": ""}"#, 422, "empty-name"),
        (#"{"operation": "add", "kind": "room", "name": "hall"}"#, 422, "invalid-content"),
        (#"{"operation": "remove", "kind": "room", "name": "Cellar"}"#, 422, "unknown-object"),
        (
            #"{"operation": "add", "kind": "scene", "name": "Day", "content": "[{ set: Nothing/On, to: on }]"}"#, 422,
            "invalid-content"
        ),
        (
            #"{"operation": "add", "kind": "accessory", "name": "Lamp", "content": "{ accessory: Fan }"}"#, 422,
            "invalid-content"
        ),
        (#"{"operation": "add", "kind": "room", "name": "Attic", "content": "{ floor: 3 }"}"#, 422, "invalid-content"),
        (
            #"{"operation": "replace", "kind": "scene", "name": "Night", "content": "[]", "newName": ""}"#, 422,
            "empty-name"
        ),
    ])
    func impossibleEditIsRefusedAndChangesNothing(body: String, status: Int, code: String) async throws {
        let problem = await #expect(throws: Problem.self) { try await edit(body) }
        #expect(problem?.status.code == status && problem?.code == code, "\(problem?.code ?? "")")
        #expect(text == Self.file)
    }

    @Test(arguments: [
        #"{"operation": "rename", "kind": "service", "name": "Garage Light", "newName": "Lamp"}"#,
        #"{"operation": "add", "kind": "scene", "name": "Ghosts", "content": "[]"}"#,
    ])
    func editThatWouldRemoveALeftOutPartIsRefused(body: String) async throws {
        let ghosts = """
            \(Self.file)  - accessory: Ghost
            groups: { Lights: [Garage Light, Ghost Light] }

            """
            .replacing("automations:", with: "  Ghosts: [{ set: Ghost Light/On, to: on }]\nautomations:")
        _ = try folder.write(ghosts, to: "home.yaml")
        let problem = await #expect(throws: Problem.self) { try await edit(body) }
        #expect(problem?.code == "invalid-content", "\(problem as Any)")
        #expect(text == ghosts)
        // Other objects are edited.
        _ = try await edit(#"{"operation": "rename", "kind": "scene", "name": "Night", "newName": "Sleep"}"#)
        #expect(text.contains("Sleep:") && text.contains("[Garage Light, Ghost Light]"))
    }

    @Test func automationThatLosesItsConditionIsDisabledInTheFile() async throws {
        let file = Self.file
            .replacing(
                "when: { time: 22:30 }",
                with: "when: { time: 22:30 }, if: { characteristic: Garage Light/On, is: on }"
            )
            .replacing("run: [Night]", with: "run: [Empty]").replacing("scenes:\n", with: "scenes:\n  Empty: []\n")
        _ = try folder.write(file, to: "home.yaml")
        let answer = try await edit(#"{"operation": "remove", "kind": "accessory", "name": "Kilgo Garage"}"#)
        #expect(answer?["effects"]?.array?.isEmpty == false)
        #expect(text.contains("enabled: false"), "\(text)")
    }

    @Test func contentAndNameAreReplacedInOneEdit() async throws {
        _ = try await edit(
            #"{"operation": "replace", "kind": "scene", "name": "Night", "content": "[]", "newName": "Sleep"}"#
        )
        #expect(text.contains("  Sleep: []") && text.contains("run: [Sleep]"))
    }
}
