import AccessoryModel
import HAPController
import HAPCore
import TestSupport
import Testing

/// What the controller does after an answer that a request was too large, or that the session is not known.
@Suite("Requests that are sent again, and those that are not")
struct RequestSizeTests {
    private let on = CharacteristicID(aid: .primary, iid: InstanceID(9) ?? .accessoryInformation)
    private let brightness = CharacteristicID(aid: .primary, iid: InstanceID(10) ?? .accessoryInformation)

    private static let unknownSession = ScriptStep.message(HTTPResponse(.connectionAuthorizationRequired).bytes)

    private static func puts(_ accessory: ScriptedAccessory) -> Int {
        accessory.journal.requests.count { $0.method == .put && $0.endpoint == .characteristics }
    }

    @Test("A session that the accessory does not know is opened again once", arguments: [1, 2])
    func unknownSessionIsOpenedAgain(failures: Int) async throws {
        let answers = Counter()
        let script = Script.responding(to: .characteristics) { response in
            answers.next() <= failures ? [Self.unknownSession] : [.message(response.bytes)]
        }
        try await ScriptedAccessory.run(script) { accessory, paired in
            do throws(ControllerError) {
                let results = try await paired.write([CharacteristicWrite(on, true)])
                #expect(failures == 1 && results.map(\.code) == [0])
            } catch {
                #expect(failures == 2 && error.code == .requestFailed(http: 470, nil))
                #expect(error.reason.contains("no longer knows this session"))
            }
            #expect(Self.puts(accessory) == 2 && accessory.journal.sessionCount == 2)
        }
    }

    @Test("A timed write is not repeated if only its announcement finds the session unknown")
    func timedWriteIsNotRepeatedAfterItsAnnouncement() async throws {
        let timed = try #require(CharacteristicID(1, 11))
        let script = Script.responding(to: .prepare) { _ in [Self.unknownSession] }
        try await ScriptedAccessory.run(script) { accessory, paired in
            let results = try await paired.write([CharacteristicWrite(timed, 3)])
            #expect(results.map(\.code) == [0])
            #expect(Self.puts(accessory) == 1)
        }
    }

    @Test("Requests that are too large are sent again in smaller parts", arguments: [false, true])
    func largeRequestsAreDivided(closes: Bool) async throws {
        let tooLarge = Array("HTTP/1.1 414 URI Too Long\r\nContent-Length: 0\r\n\r\n".utf8)
        var script = Script()
        script.respond = { request, response in
            guard request.query.count > 230 else { return [.message(response.bytes)] }
            return closes ? [.message(tooLarge), .close] : [.message(tooLarge)]
        }
        try await ScriptedAccessory.run(script) { accessory, paired in
            let ids = (1...100).compactMap { CharacteristicID(1, 1_000 + $0) }
            let results = try await paired.read(ids)
            #expect(results.map(\.id) == ids && results.allSatisfy(\.isSuccess))
            let large = accessory.journal.requests.count { $0.query.count > 230 }
            #expect(large == 1)
            #expect(accessory.journal.sessionCount == (closes ? 2 : 1))
        }
    }

    @Test("A write of which a part succeeded is not repeated, even if its statuses have no ids")
    func partlyRefusedWriteIsNotRepeated() async throws {
        let body = #"{"characteristics":[{"status":0},{"status":-70407}]}"#
        var script = Script()
        script.respond = { request, response in
            request.method == .put
                ? [.message(HTTPResponse.json(.multiStatus, Array(body.utf8)).bytes)] : [.message(response.bytes)]
        }
        try await ScriptedAccessory.run(script) { accessory, paired in
            let writes = [CharacteristicWrite(on, true), CharacteristicWrite(brightness, 7)]
            let results = try await paired.write(writes)
            #expect(results.map(\.code) == [0, -70_407])
            #expect(Self.puts(accessory) == 1)
        }
    }

    @Test("The results of a write's first requests are returned if a later one has no answer")
    func firstResultsOfALongWriteAreReturned() async throws {
        let puts = Counter()
        var script = Script()
        script.respond = { request, response in
            request.method == .put && puts.next() == 2 ? [.close] : [.message(response.bytes)]
        }
        try await ScriptedAccessory.run(script) { accessory, paired in
            let ids = (1...50).compactMap { CharacteristicID(1, 1_000 + $0) }
            let codes = try await paired.write(ids.map { CharacteristicWrite($0, 1) }).map(\.code)
            #expect(codes.count == 50 && codes.first == 0 && codes.last == -70_402)
            #expect(Set(codes) == [0, -70_402] && Self.puts(accessory) == 2)
        }
    }

    @Test("The end of a session is not the end of a request")
    func endOfAnIdleSessionIsReportedAsSuch() async throws {
        try await ScriptedAccessory.run { accessory, paired in
            var changes = await paired.changes(of: [on]).makeAsyncIterator()
            #expect(try await changes.next() == .connected)
            #expect(try await changes.next() == .value(on, true))
            accessory.journal.perform(.close)
            guard case .disconnected(let error) = try await changes.next() else {
                Issue.record("the end of the session was not reported")
                return
            }
            #expect(error.reason == "The accessory at 127.0.0.1:\(accessory.port) closed the connection.")
        }
    }
}
