import AccessoryModel
import Documents
import HAPCore
import HAPServer
import HTTPTypes
import HostTestSupport
import Hosting
import Simulation
import Testing

@testable import WebConsole

/// Actions and faults in the API, which names objects by their ids.
struct SimulationEndpointTests {
    private let host: AccessoryHost
    private let console: Console
    private let journal = EventJournal()

    init() async throws {
        host = AccessoryHost(testing: .paused, observers: [journal])
        try await host.start([.garage(1), .garage(2)])
        console = Console(of: "serve", version: "1", journal, host: host)
    }

    /// Returns the id of a service or a characteristic of the second garage in the form `aid.iid`.
    private func id(_ name: String) async throws -> (aid: UInt64, iid: UInt64) {
        let attributes = await host.servers[1].server.attributes
        switch try host.names.resolve(SimulationTarget("Kilgo Garage 2/\(name)")) {
        case .service(_, let aid, let key):
            let service = try #require(attributes.service(key, of: aid))
            return (aid.rawValue, attributes.services[service].iid.rawValue)
        case .characteristic(let place): return (place.id.aid.rawValue, place.id.iid.rawValue)
        case .server, .accessory: throw Problem.invalid("A part of the accessory was expected.")
        }
    }

    private func message(_ method: WebRequest.Method, _ path: String, _ body: String = "") async throws -> String? {
        try await console.respond(method, path, body).object?["message"]?.string
    }

    private func problem(_ method: WebRequest.Method, _ path: String, _ body: String = "") async -> Problem? {
        do {
            _ = try await console.respond(method, path, body)
            return nil
        } catch {
            return error as? Problem
        }
    }

    private func actions(_ id: (aid: UInt64, iid: UInt64)) -> String {
        "api/v1/servers/Kilgo%20Garage%202/services/\(id.aid).\(id.iid)/actions"
    }

    @Test func actionAffectsTheDeviceWithTheIds() async throws {
        let door = actions(try await id("Garage Door"))
        #expect(try await message(.post, door, #"{"action":"obstruct"}"#) == "Obstructed Kilgo Garage 2/Garage Door.")
        let obstructed = try host.names.characteristic(SimulationTarget("Kilgo Garage 2/Obstruction Detected")).place
        #expect(await host.values(of: [obstructed])[obstructed] == true)
        let other = ServerCharacteristicID(server: 0, obstructed.id)
        #expect(await host.values(of: [other])[other] == false)
        // The journal names the action as a person would write it.
        let event = try #require(journal.events(after: 0).events.last { $0.content.kind == "command" })
        #expect(console.report(of: event).name == "obstruct Kilgo Garage 2/Garage Door")
        await host.stop()
    }

    @Test func actionThatADeviceDoesNotSupportIsRefused() async throws {
        let light = actions(try await id("Garage Light"))
        let refused = await problem(.post, light, #"{"action":"obstruct"}"#)
        #expect(refused?.status == .conflict, "\(String(describing: refused))")
        #expect(await problem(.post, light, #"{"action":"explode"}"#)?.status == .badRequest)
        for path in ["1.4711", "7.1", "nonsense"] {
            let unknown = await problem(
                .post,
                "api/v1/servers/Kilgo%20Garage%202/services/\(path)/actions",
                #"{"action":"stop"}"#
            )
            #expect(unknown?.status == .notFound, "\(path)")
        }
        // A characteristic is no service.
        #expect(
            await problem(.post, actions(try await id("Garage Light/On")), #"{"action":"stop"}"#)?.status == .notFound
        )
        await host.stop()
    }

    @Test func faultIsInjectedListedAndEndedByIds() async throws {
        let light = try await id("Garage Light")
        let switchID = try await id("Garage Light/On")
        let server = #""server":"Kilgo Garage 2""#
        for scope in [
            server, "\(server),\"aid\":1", "\(server),\"aid\":1,\"iid\":\(light.iid)",
            "\(server),\"aid\":1,\"iid\":\(switchID.iid)",
        ] {
            let text = try await message(.post, "api/v1/faults", "{\"name\":\"latency\",\(scope)}")
            #expect(text?.hasPrefix("Fault latency on ") == true)
        }
        func targets() async throws -> [String?] {
            try #require(try await console.respond(.get, "api/v1/faults").array).map { $0.object?["target"]?.string }
        }
        #expect(
            try await targets() == [
                "Kilgo Garage 2", "Kilgo Garage 2/Kilgo Garage 2", "Kilgo Garage 2/Garage Light",
                "Kilgo Garage 2/Garage Light/On",
            ]
        )
        let listed = try #require(try await console.respond(.get, "api/v1/faults").array?[2].object)
        #expect(listed["server"]?.string == "Kilgo Garage 2")
        #expect(listed["aid"]?.unsigned == 1 && listed["iid"]?.unsigned == light.iid)
        // An object also contains the faults on its parts.
        let query = "api/v1/faults?name=latency&server=Kilgo%20Garage%202&aid=1"
        #expect(try await message(.delete, "\(query)&iid=\(light.iid)") == "2 faults have ended.")
        #expect(try await message(.delete, query) == "1 fault has ended.")
        #expect(try await targets() == ["Kilgo Garage 2"])
        #expect(try await message(.delete, "api/v1/faults?server=Kilgo%20Garage") == "No such fault was active.")
        #expect(try await message(.delete, "api/v1/faults") == "1 fault has ended.")
        await host.stop()
    }

    @Test(arguments: [
        (#"{"name":"latency","aid":1}"#, WebResponse.Status.unprocessableContent),
        (#"{"name":"latency","server":"Kilgo Garage","iid":9}"#, .unprocessableContent),
        (#"{"name":"latency","server":"Nowhere"}"#, .notFound),
        (#"{"name":"latency","server":"Kilgo Garage","aid":7}"#, .notFound),
        (#"{"name":"latency","server":"Kilgo Garage","aid":1,"iid":4711}"#, .notFound),
        (#"{"name":"reboot","server":"Kilgo Garage","aid":1}"#, .conflict),
        (#"{"name":"latncy"}"#, .notFound),
    ])
    func faultOnNothingIsRefused(body: String, status: WebResponse.Status) async throws {
        #expect(await problem(.post, "api/v1/faults", body)?.status == status)
        #expect(host.servers.allSatisfy { $0.faults.active.isEmpty })
        await host.stop()
    }

    @Test func serversAreListedInTheirOrderWithTheirNumbers() async throws {
        await host.remove(0)
        for number in 3...40 { _ = try await host.add(.garage(number)) }
        let servers = try #require(try await console.respond(.get, "api/v1/servers").array)
        #expect(servers.map { $0.object?["number"]?.unsigned } == (1...39).map { $0 })
        #expect(servers.map { $0.object?["key"]?.string } == (2...40).map { "Kilgo Garage \($0)" })
        await host.stop()
    }
}
