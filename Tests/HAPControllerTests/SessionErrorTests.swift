import AccessoryModel
import HAPController
import HAPCore
import TestSupport
import Testing

@Suite("An accessory that breaks the protocol within a session")
struct SessionErrorTests {
    private let on = CharacteristicID(aid: .primary, iid: InstanceID(9) ?? .accessoryInformation)

    @Test(
        "A malformed response ends its session and names the layer; the next request opens a new one",
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

    @Test("A failure without statuses applies to all items")
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

    @Test("An unsolicited response ends the session")
    func unsolicitedResponseEndsTheSession() async throws {
        try await ScriptedAccessory.run { accessory, paired in
            var changes = await paired.changes(of: [on]).makeAsyncIterator()
            #expect(try await changes.next() == .connected)
            #expect(try await changes.next() == .value(on, true))
            accessory.journal.perform(.message(HTTPResponse(.noContent).bytes))
            guard case .disconnected(let error) = try await changes.next() else {
                Issue.record("the end of the session was not reported")
                return
            }
            #expect(error.code == .malformed(RequestQueue.unsolicitedResponse))
            #expect(try await changes.next() == .connected)
        }
    }

    @Test("Closing within a frame counts as a lost connection", arguments: [1, 17, 40])
    func closingWithinAFrameLosesTheConnection(_ count: Int) async throws {
        let script = Script.responding(to: .characteristics) { _ in
            // The frame is incomplete: its length is greater than the number of bytes that follow.
            [.raw([UInt8](repeating: 1, count: count)), .close]
        }
        try await ScriptedAccessory.run(script) { _, paired in
            await expect(.connectionLost) { _ = try await paired.read([on]) }
        }
    }

    @Test("A missing response times out")
    func missingResponseTimesOut() async throws {
        var configuration = ControllerConfiguration.quick
        configuration.requestTime = .milliseconds(100)
        for endpoint in [HAPEndpoint.characteristics, .accessories, .pairings] {
            // Requests that are answered have plenty of time.
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

    @Test("An error of a whole request is reported")
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

    @Test("A database of ten megabytes is read")
    func largeDatabaseIsRead() async throws {
        var script = Script()
        script.database = #"{"x":"\#(String(repeating: "x", count: 10_000_000))","# + Script.lamp.dropFirst()
        try await ScriptedAccessory.run(script) { _, paired in
            let accessories = try await paired.accessories()
            #expect(accessories.count == 1)
        }
    }
}
