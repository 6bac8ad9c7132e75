import AccessoryModel
import HAPController
import HAPCore
import TestSupport
import Testing

@Suite("An accessory that breaks the protocol within a session")
struct SessionErrorTests {
    private let on = CharacteristicID(aid: .primary, iid: InstanceID(9) ?? .accessoryInformation)

    @Test(
        "is told which layer it has broken, and asked again in a new session",
        arguments: [
            ([ScriptStep.raw([4, 0] + [UInt8](repeating: 0, count: 20))], ProtocolError.Code.frame),
            ([.raw([1, 4])], .frame),
            ([.message(Array("EVENT/2.0 200 OK\r\n\r\n".utf8))], .http),
            ([.message(Array("HTTP/1.1 200 OK\r\nContent-Length: 16777217\r\n\r\n".utf8))], .tooLarge),
            ([.message(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1000001\r\n".utf8))], .tooLarge),
            ([.message(Array("EVENT/1.0 200 OK\r\nContent-Length: 4194305\r\n\r\n".utf8))], .tooLarge),
            ([.message(HTTPResponse.json(.ok, Array("[1,2]".utf8)).bytes)], .json),
            ([.message(HTTPResponse.json(.ok, Array(#"{"characteristics":[{"aid":"#.utf8)).bytes)], .json),
            ([.message(HTTPResponse.json(.ok, Array(String(repeating: "[", count: 33).utf8)).bytes)], .tooLarge),
        ] as [([ScriptStep], ProtocolError.Code)]
    )
    func malformedResponsesEndTheSessionWithTheirLayer(_ steps: [ScriptStep], _ layer: ProtocolError.Code) async throws
    {
        let wrongOnce = OnceFlag()
        let script = Script.responding(to: .characteristics) { response in
            wrongOnce.claim() ? steps : [.message(response.bytes)]
        }
        try await ScriptedAccessory.run(script) { accessory, paired in
            await expectMalformed(layer) { _ = try await paired.read([on]) }
            try await eventually("the session ends") { await !paired.hasSession }
            let results = try await paired.read([on])
            #expect(results.map(\.value) == [true])
            #expect(accessory.journal.sessionCount == 2)
        }
    }

    @Test("that fails as a whole has carried out nothing, whichever characteristics it names")
    func failureWithoutStatusesAppliesToAllItems() async throws {
        let body = #"{"characteristics":[{"aid":1,"iid":9}]}"#
        let script = Script.responding(to: .characteristics) { _ in
            [.message(HTTPResponse.json(.internalServerError, Array(body.utf8)).bytes)]
        }
        try await ScriptedAccessory.run(script) { _, paired in
            let results = try await paired.read([on])
            #expect(results.map(\.status) == [.unableToPerform])
        }
    }

    @Test("that answers what nobody asked is not spoken with any longer")
    func unsolicitedResponseEndsTheSession() async throws {
        try await ScriptedAccessory.run { accessory, paired in
            var changes = await paired.changes(of: [on]).makeAsyncIterator()
            #expect(try await changes.next() == .connected)
            #expect(try await changes.next() == .value(on, true))
            accessory.journal.perform(.message(HTTPResponse(.noContent).bytes))
            guard case .disconnected(let error) = try await changes.next() else {
                Issue.record("the end of the session was not told")
                return
            }
            #expect(error.code == .malformed(RequestQueue.unsolicitedResponse))
            #expect(try await changes.next() == .connected)
        }
    }

    @Test("that closes in the middle of an answer has lost the connection", arguments: [1, 17, 40])
    func closingWithinAFrameLosesTheConnection(_ count: Int) async throws {
        let script = Script.responding(to: .characteristics) { _ in
            // No whole frame: the length says more than comes.
            [.raw([UInt8](repeating: 1, count: count)), .close]
        }
        try await ScriptedAccessory.run(script) { _, paired in
            await expect(.connectionLost) { _ = try await paired.read([on]) }
        }
    }

    @Test("that is silent is not waited for longer than it is allowed to")
    func missingResponseTimesOut() async throws {
        var configuration = ControllerConfiguration.quick
        configuration.requestTime = .milliseconds(100)
        for endpoint in [HAPEndpoint.characteristics, .accessories, .pairings] {
            // What is answered has time.
            configuration.databaseTime = endpoint == .accessories ? .milliseconds(200) : .seconds(60)
            try await ScriptedAccessory.run(.responding(to: endpoint) { _ in [] }, configuration: configuration) {
                _,
                paired in
                await expect(.timedOut) {
                    if endpoint == .pairings {
                        _ = try await paired.pairings()
                    } else {
                        _ = try await paired.read([on])
                    }
                }
            }
        }
    }

    @Test("that fails a whole request is quoted")
    func errorOfAWholeRequestIsReported() async throws {
        let script = Script.responding(to: .characteristics) { _ in [.message(HTTPResponse(.serviceUnavailable).bytes)]
        }
        try await ScriptedAccessory.run(script) { _, paired in
            await expect(.requestFailed(http: 503, nil)) { _ = try await paired.read([on]) }
            await expect(.requestFailed(http: 503, nil)) { _ = try await paired.write([CharacteristicWrite(on, true)]) }
        }
        let busy = Script.responding(to: .characteristics) { _ in
            [.message(HTTPResponse.failure(.badRequest, .busy).bytes)]
        }
        try await ScriptedAccessory.run(busy) { _, paired in
            let results = try await paired.read([on])
            #expect(results.map(\.status) == [.busy])
        }
    }

    @Test("that sends ten megabytes at once is read")
    func largeDatabaseIsRead() async throws {
        var script = Script()
        script.database = #"{"x":"\#(String(repeating: "x", count: 10_000_000))","# + Script.lamp.dropFirst()
        try await ScriptedAccessory.run(script) { _, paired in
            let accessories = try await paired.accessories()
            #expect(accessories.count == 1)
        }
    }
}
