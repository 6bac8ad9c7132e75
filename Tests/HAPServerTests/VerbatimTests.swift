import AccessoryFiles
import AccessoryModel
import HAPCore
import HAPServer
import TestSupport
import Testing

/// A copy of a real device is served unchanged, and all guarantees of a server still hold.
@Suite struct VerbatimTests {
    @Test(arguments: [Dumps.odd, Dumps.sharedIDs, Dumps.unhyphenatedTypes])
    func servedDatabaseEqualsTheDumpWithItsOddities(dump: [UInt8]) async throws {
        try await Self.serve(dump) { server in
            let served = try await Self.accessories(of: server)
            let dumped = try JSONValue(parsing: dump)
            #expect(served == dumped.accessoriesForComparison(dropping: ["ev", "broadcast"]))
        }
    }

    @Test(
        .enabled(if: !Dumps.real.isEmpty, "the dumps are not in the repository"),
        arguments: Dumps.real.keys.sorted()
    )
    func servedDatabaseEqualsARealDevicesDump(name: String) async throws {
        let dump = try #require(Dumps.real[name])
        try await Self.serve(dump) { server in
            let served = try await Self.accessories(of: server)
            #expect(served == (try JSONValue(parsing: dump)).accessoriesForComparison())
        }
    }

    @Test func restartServesTheSameDatabaseAndNumber() async throws {
        let store = InMemoryStore.withIdentity(PairingTable(pairings: [Fixture.pairing]))
        for _ in 0..<2 {
            try await Self.serve(Dumps.odd, store: store) { server in
                let served = try await Self.accessories(of: server)
                let dumped = try JSONValue(parsing: Dumps.odd)
                #expect(served == dumped.accessoriesForComparison(dropping: ["ev", "broadcast"]))
                #expect(server.journal.entries.compactMap(\.configurationNumber) == ["1"])
            }
        }
    }

    @Test func writesAreCheckedAgainstFormatsAndRanges() async throws {
        try await Self.serve(Dumps.odd) { server in
            let controller = try await server.session()
            let brightness = try #require(CharacteristicID(2, 12))
            #expect(try await controller.value(of: brightness) == 101.5)
            let refused = try await controller.put(101, to: brightness)
            #expect(refused.statuses == [-70_410])
            #expect(try await controller.value(of: brightness) == 101.5)
            #expect(try await controller.put(40, to: brightness).status == 204)
            #expect(try await controller.value(of: brightness) == 40)
            let text = try #require(CharacteristicID(2, 13))
            #expect(try await controller.put("half", to: text).statuses == [-70_410])
            #expect(try await controller.value(of: text) == "full")
        }
    }

    /// A service with the same iid does not hide the characteristic.
    @Test func characteristicWithTheIIDOfItsServiceIsReadable() async throws {
        try await Self.serve(Dumps.sharedIDs) { server in
            let controller = try await server.session()
            #expect(try await controller.value(of: #require(CharacteristicID(1, 29))) == "Plug")
            #expect(try await controller.value(of: #require(CharacteristicID(1, 30))) == 1)
        }
    }

    @Test func changesNotifySubscribers() async throws {
        try await Self.serve(Dumps.odd) { server in
            let (writer, listener) = (try await server.session(), try await server.session())
            let on = try #require(CharacteristicID(2, 11))
            try await listener.subscribe(to: on)
            #expect(try await writer.put(true, to: on).status == 204)
            #expect(try await listener.eventValues() == [on: 1])
        }
    }

    @Test func identifyAddressesTheFirstAccessoryWithoutAIDOne() async throws {
        try await Self.serve(Dumps.odd, pairings: []) { server in
            let response = try await server.connect().request(HTTPRequest(.post, .identify))
            #expect(response.status == 204)
            let first = try #require(AccessoryID(6_623_462_389_072_572))
            #expect(server.journal.events.contains(.identifyRequested(first)))
        }
    }

    @Test func editedDumpKeepsItsOwnIDs() async throws {
        try await Self.serve(Dumps.odd) { server in
            let text = String(decoding: Dumps.odd, as: UTF8.self)
            let edited = text.replacing(#""iid": 20, "type""#, with: #""iid": 21, "type""#)
                .replacing(#""iid": 21, "type": "151909D3"#, with: #""iid": 20, "type": "151909D3"#)
                .replacing("\"Attic\"", with: "\"Cellar\"")
            let document = try AccessoryFile.read(Array(edited.utf8), name: "odd.json").document
            try await server.server.replaceAccessories(with: document.makeAccessories(isSimulated: false))
            let served = try await Self.accessories(of: server)
            let dumped = try JSONValue(parsing: Array(edited.utf8))
            #expect(served == dumped.accessoriesForComparison(dropping: ["ev", "broadcast"]))
            #expect(server.journal.entries.compactMap(\.configurationNumber) == ["1", "2"])
        }
    }

    @Test func otherAccessoryIsStillValidated() async throws {
        let document = try AccessoryFile.read(Dumps.odd, name: "odd.json").document
        await #expect(throws: ServerError.self) {
            try await TestServer.run(document.makeAccessories(isSimulated: false)) { _ in }
        }
    }

    private static func serve(
        _ dump: [UInt8],
        pairings: [Pairing] = [Fixture.pairing],
        body: (TestServer) async throws -> Void
    ) async throws {
        try await serve(dump, store: .withIdentity(PairingTable(pairings: pairings)), body: body)
    }

    private static func serve(
        _ dump: [UInt8],
        store: InMemoryStore,
        body: (TestServer) async throws -> Void
    ) async throws {
        let document = try AccessoryFile.read(dump, name: "dump.json").document
        try await TestServer.run(
            document.makeAccessories(isSimulated: false),
            store: store,
            configuration: .testing.with(\.servesVerbatim, true),
            body: body
        )
    }

    private static func accessories(of server: TestServer) async throws -> [JSONValue] {
        let response = try await server.session().request(HTTPRequest(.get, .accessories))
        guard response.status == 200 else { throw TestFailure("/accessories was answered with \(response.status)") }
        return try JSONValue(parsing: response.body).accessoriesForComparison()
    }
}
