import AccessoryModel
import HAPController
import HAPCore
import TestSupport
import Testing

@Suite("Responses that are unusual but still understood")
struct LenientResponseTests {
    private let on = CharacteristicID(aid: .primary, iid: InstanceID(9) ?? .accessoryInformation)
    private let brightness = CharacteristicID(aid: .primary, iid: InstanceID(10) ?? .accessoryInformation)

    @Test(
        "Oddly formatted responses to a read are parsed",
        arguments: [
            (
                "\r\n { \"x\" : [ null ] , \"characteristics\" : [ {\"value\":50, \"iid\":10, \"aid\":1}, "
                    + "{\"iid\":9,\"value\":true,\"aid\":1} ] } ",
                [CharacteristicValue.bool(true), 50], [0, 0]
            ),
            (#"{"characteristics":[{"aid":1,"iid":9,"value":null,"status":null}]}"#, [nil, nil], [0, -70_402]),
            (
                #"{"characteristics":[{"aid":1,"iid":9,"status":0},{"aid":1,"iid":10,"status":-7}]}"#, [nil, nil],
                [-70_402, -7]
            ),
            (#"{"characteristics":[{"aid":1},{"aid":1,"iid":10,"value":51},7]}"#, [nil, 51], [-70_402, 0]),
            (#"{"status":-70403}"#, [nil, nil], [-70_403, -70_403]),
            ("{}", [nil, nil], [-70_402, -70_402]), ("", [nil, nil], [-70_402, -70_402]),
            (
                #"{"characteristics":[{"aid":1,"iid":9,"value":1},{"aid":1,"iid":10,"value":{"a":1}}]}"#, [true, nil],
                [0, 0]
            ),
        ] as [(String, [CharacteristicValue?], [Int64])]
    )
    func oddlyFormattedReadResponsesAreParsed(_ body: String, _ values: [CharacteristicValue?], _ codes: [Int64])
        async throws
    {
        let script = Script.responding(to: .characteristics) { _ in
            [.message(HTTPResponse.json(.ok, Array(body.utf8)).bytes)]
        }
        try await ScriptedAccessory.run(script) { _, paired in
            let results = try await paired.read([on, brightness])
            #expect(results.map(\.value) == values)
            #expect(results.map(\.code) == codes)
        }
    }

    @Test(
        "Oddly formatted responses to a write are parsed",
        arguments: [
            (HTTPResponse(.noContent), [0, 0]), (HTTPResponse(.ok), [0, 0]),
            (
                HTTPResponse.json(
                    .multiStatus,
                    Array(#"{"characteristics":[{"aid":1,"iid":10,"status":-70410},{"aid":1,"iid":9}]}"#.utf8)
                ), [0, -70_410]
            ),
            (
                HTTPResponse.json(.badRequest, Array(#"{"characteristics":[{"aid":1,"iid":9,"status":-70404}]}"#.utf8)),
                [-70_404, -70_402]
            ),
            (HTTPResponse.failure(.unprocessableEntity, .invalidValue), [-70_410, -70_410]),
        ] as [(HTTPResponse, [Int64])]
    )
    func oddlyFormattedWriteResponsesAreParsed(_ response: HTTPResponse, _ codes: [Int64]) async throws {
        let script = Script.responding(to: .characteristics) { _ in [.message(response.bytes)] }
        try await ScriptedAccessory.run(script) { _, paired in
            let writes = [CharacteristicWrite(on, true), CharacteristicWrite(brightness, 7)]
            let results = try await paired.write(writes)
            #expect(results.map(\.code) == codes)
        }
    }

    @Test("A timed write succeeds even if the accessory does not support prepare")
    func timedWriteWithoutPrepareSucceeds() async throws {
        let timed = try #require(CharacteristicID(1, 11))
        let script = Script.responding(to: .prepare) { _ in [.message(HTTPResponse(.notFound).bytes)] }
        try await ScriptedAccessory.run(script) { accessory, paired in
            let results = try await paired.write([CharacteristicWrite(timed, 3)])
            #expect(results.map(\.code) == [0])
            let asked = accessory.journal.requests.suffix(2)
            #expect(asked.map(\.endpoint) == [.prepare, .characteristics])
            let prepared = try PrepareRequest(parsing: try #require(asked.first).body)
            let written = try CharacteristicWriteRequest(parsing: try #require(asked.last).body)
            #expect(written.pid == prepared.pid)
        }
    }

    @Test(
        "Events before and after a response are delivered, also byte by byte",
        arguments: [false, true]
    )
    func eventsAroundAResponseAreDelivered(isDripping: Bool) async throws {
        var script = Script()
        script.sendsSingleBytes = isDripping
        script.respond = { request, response in
            guard request.endpoint == .characteristics, request.method == .get else {
                return [.message(response.bytes)]
            }
            let before = HTTPEvent.bytes(iid: 9, value: "0") + HTTPEvent.bytes(iid: 9, value: "true")
            return [.message(before), .message(response.bytes + HTTPEvent.bytes(iid: 10, value: "7"))]
        }
        try await ScriptedAccessory.run(script) { accessory, paired in
            var changes = await paired.changes(of: [on, brightness]).makeAsyncIterator()
            var seen: [AccessoryChange] = []
            while !seen.contains(.value(brightness, 7)), let change = try await changes.next() {
                seen.append(change)
            }
            #expect(seen.first == .connected)
            #expect(
                seen.filter { $0 != .value(brightness, 1) }.dropFirst() == [
                    .value(on, false), .value(on, true), .value(brightness, 7),
                ]
            )
            accessory.journal.perform(
                .message(HTTPEvent.bytes(iid: 9, value: "0") + HTTPEvent.bytes(iid: 10, value: "null"))
            )
            #expect(try await changes.next() == .value(on, false))
            #expect(try await changes.next() == .value(brightness, nil))
        }
    }

    @Test("An event that is not valid JSON ends the session, but not the watch")
    func malformedEventEndsTheSessionButNotTheWatch() async throws {
        try await ScriptedAccessory.run { accessory, paired in
            var changes = await paired.changes(of: [on]).makeAsyncIterator()
            #expect(try await changes.next() == .connected)
            #expect(try await changes.next() == .value(on, true))
            var event: [UInt8] = []
            HTTPEvent(body: Array("{".utf8)).append(to: &event)
            accessory.journal.perform(.message(event))
            guard case .disconnected(let error) = try await changes.next(), case .malformed(let fault) = error.code
            else {
                Issue.record("the end of the session was not reported")
                return
            }
            #expect(fault.code == .json)
            #expect(try await changes.next() == .connected)
            #expect(accessory.journal.sessionCount == 2)
        }
    }

    @Test("A watch ends if the accessory refuses all of its subscriptions")
    func watchEndsWhenAllSubscriptionsAreRefused() async throws {
        let body = #"{"characteristics":[{"aid":1,"iid":9,"status":-70406}]}"#
        var script = Script()
        script.respond = { request, response in
            request.method == .put
                ? [.message(HTTPResponse.json(.multiStatus, Array(body.utf8)).bytes)] : [.message(response.bytes)]
        }
        try await ScriptedAccessory.run(script) { _, paired in
            await expect(.requestFailed(http: 207, .notificationNotSupported)) {
                for try await _ in await paired.changes(of: [on]) {}
            }
        }
    }
}
