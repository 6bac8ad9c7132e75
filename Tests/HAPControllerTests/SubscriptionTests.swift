import AccessoryModel
import HAPController
import HAPCore
import TestSupport
import Testing

@Suite("Subscriptions")
struct SubscriptionTests {
    private let on = CharacteristicID(aid: .primary, iid: InstanceID(9) ?? .accessoryInformation)
    private let brightness = CharacteristicID(aid: .primary, iid: InstanceID(10) ?? .accessoryInformation)

    @Test("A refused subscription is reported to the watch and retried in the next session")
    func refusedSubscriptionIsReportedAndRetriedInTheNextSession() async throws {
        let body = #"{"characteristics":[{"aid":1,"iid":9,"status":-70406},{"aid":1,"iid":10,"status":0}]}"#
        let once = OnceFlag()
        var script = Script()
        script.respond = { request, response in
            request.method == .put && once.claim()
                ? [.message(HTTPResponse.json(.multiStatus, Array(body.utf8)).bytes)] : [.message(response.bytes)]
        }
        try await ScriptedAccessory.run(script) { accessory, paired in
            var changes = await paired.changes(of: [on, brightness]).makeAsyncIterator()
            #expect(try await changes.next() == .connected)
            let refusal = CharacteristicResult(on, code: -70_406)
            #expect(try await changes.next() == .refused(refusal))
            #expect(try await changes.next() == .value(on, true))
            #expect(try await changes.next() == .value(brightness, 1))
            accessory.journal.perform(.close)
            guard case .disconnected = try await changes.next() else {
                Issue.record("the end of the session was not reported")
                return
            }
            #expect(try await changes.next() == .connected)
            accessory.journal.perform(.message(HTTPEvent.bytes(iid: 9, value: "0")))
            #expect(try await changes.next() == .value(on, false))
        }
    }

    @Test("A subscription that fails in a new session is reported and ends only that session")
    func failedResubscriptionEndsOnlyThatSession() async throws {
        let puts = Counter()
        var script = Script()
        script.respond = { request, response in
            guard request.method == .put else { return [.message(response.bytes)] }
            return puts.next() == 2
                ? [.message(HTTPResponse(.serviceUnavailable).bytes)] : [.message(response.bytes)]
        }
        try await ScriptedAccessory.run(script) { accessory, paired in
            var changes = await paired.changes(of: [on]).makeAsyncIterator()
            #expect(try await changes.next() == .connected)
            #expect(try await changes.next() == .value(on, true))
            accessory.journal.perform(.close)
            var reasons: [ControllerError.Code] = []
            while case .disconnected(let error)? = try await changes.next() {
                reasons.append(error.code)
            }
            #expect(reasons == [.connectionLost, .requestFailed(http: 503, nil)])
            #expect(accessory.journal.sessionCount == 3)
            #expect(try await paired.read([on]).map(\.value) == [true])
            #expect(accessory.journal.sessionCount == 3)
        }
    }

    @Test("A failed reconnect is reported once, with its reason")
    func failedReconnectIsReportedOnce() async throws {
        let verifications = Counter()
        let script = Script.responding(to: .pairVerify) { response in
            let isRefused = 3...5 ~= verifications.next()
            return isRefused
                ? [.message(HTTPResponse.pairing([0x06, 1, 2, 0x07, 1, 2]).bytes)] : [.message(response.bytes)]
        }
        try await ScriptedAccessory.run(script) { accessory, paired in
            var changes = await paired.changes(of: [on]).makeAsyncIterator()
            #expect(try await changes.next() == .connected)
            #expect(try await changes.next() == .value(on, true))
            accessory.journal.perform(.close)
            var reasons: [ControllerError.Code] = []
            while case .disconnected(let error)? = try await changes.next() {
                reasons.append(error.code)
            }
            #expect(reasons == [.connectionLost, .unproven(.authentication)])
        }
    }

    @Test("A newer watch keeps its subscription while an older one ends")
    func newerWatchKeepsItsSubscription() async throws {
        let ids = (1...150).compactMap { CharacteristicID(1, UInt64(1_000 + $0)) }
        let last = try #require(ids.last)
        let offs = Counter()
        var script = Script()
        script.respond = { request, response in
            // The test decides when the first part of the unsubscription is answered.
            guard request.method == .put, Self.subscriptions(in: request).contains(where: { !$0.isOn }),
                offs.next() == 1
            else { return [.message(response.bytes)] }
            return []
        }
        try await ScriptedAccessory.run(script) { accessory, paired in
            do {
                var changes = await paired.changes(of: ids).makeAsyncIterator()
                #expect(try await changes.next() == .connected)
            }
            try await eventually("the first part is unsubscribed") { offs.count == 1 }
            var changes = await paired.changes(of: [last]).makeAsyncIterator()
            accessory.journal.perform(.message(HTTPResponse(.noContent).bytes))
            #expect(try await changes.next() == .connected)
            try await eventually("the others are unsubscribed") {
                accessory.journal.requests.flatMap(Self.subscriptions).count { !$0.isOn } == ids.count - 1
            }
            let states = accessory.journal.requests.flatMap(Self.subscriptions).filter { $0.id == last }.map(\.isOn)
            #expect(states == [true])
        }
    }

    private static func subscriptions(in request: HTTPRequest) -> [(id: CharacteristicID, isOn: Bool)] {
        let items = (try? CharacteristicWriteRequest(parsing: request.body))?.items ?? []
        return items.compactMap { item in
            guard let id = item.address.id, let isOn = item.ev else { return nil }
            return (id, isOn)
        }
    }
}
