import AccessoryModel
import HAPCore
import Testing
import WebConsole

@testable import hap

struct TraceReplayTests {
    /// A server with a sensor and two lamps, whose second lamp has the characteristic On at 1.30.
    private static let lines = [
        #"{"kind":"trace","version":1}"#,
        #"{"kind":"accessories","server":"A","body":{"accessories":[{"aid":1,"services":["#
            + #"{"iid":10,"type":"43","characteristics":[{"iid":20,"type":"25"},{"iid":21,"type":"8"}]},"#
            + #"{"iid":11,"type":"43","characteristics":[{"iid":30,"type":"25"}]},"#
            + #"{"iid":12,"type":"85","characteristics":[{"iid":40,"type":"22"}]}]}]}}"#,
        #"{"kind":"request","server":"A","session":1,"method":"POST","path":"/pair-verify"}"#,
        #"{"kind":"response","server":"A","session":1,"status":200}"#,
        #"{"kind":"request","server":"A","session":1,"controller":"C","method":"GET","path":"/accessories"}"#,
        #"{"kind":"response","server":"A","session":1,"controller":"C","status":200}"#,
        #"{"kind":"request","server":"A","session":1,"controller":"C","method":"GET","path":"/characteristics","query":"id=1.30,1.40,1.99&meta=1"}"#,
        #"{"kind":"response","server":"A","session":1,"controller":"C","status":207,"body":{"characteristics":["#
            + #"{"aid":1,"iid":30,"value":1,"status":0},{"aid":1,"iid":40,"status":-70402}]}}"#,
        #"{"kind":"request","server":"A","session":1,"controller":"C","method":"PUT","path":"/characteristics","body":{"characteristics":[{"aid":1,"iid":30,"value":true},{"aid":1,"iid":21,"ev":true}]}}"#,
        #"{"kind":"response","server":"A","session":1,"controller":"C","status":204}"#,
        #"{"kind":"request","server":"A","session":2,"controller":"D","method":"PUT","path":"/prepare"}"#,
    ]

    private let records = lines.compactMap { TraceRecord(line: $0) }

    /// Two lamps without brightness, and no sensor.
    private func accessories() throws -> [RemoteAccessory] {
        func service(_ iid: UInt64) throws -> RemoteService {
            RemoteService(
                iid: try #require(InstanceID(iid)),
                type: .lightbulb,
                characteristics: [
                    RemoteCharacteristic(
                        iid: try #require(InstanceID(iid + 1)),
                        CharacteristicDescription(.on, nil),
                        value: true
                    )
                ]
            )
        }
        return [RemoteAccessory(aid: .primary, services: [try service(100), try service(200)])]
    }

    @Test func everyLineIsARecord() {
        #expect(records.count == Self.lines.count)
    }

    @Test func verifiedSessionsAreFound() {
        let sessions = TraceSession.all(in: records)
        #expect(sessions.map(\.connection) == [1, 2])
        #expect(sessions.map(\.controller) == ["C", "D"])
        #expect(sessions.map(\.requestCount) == [3, 1])
    }

    @Test func itemsAreMatchedByTypeAndNumber() throws {
        let session = try #require(TraceSession.all(in: records).first)
        let replay = TraceReplay(records, of: session, on: try accessories())
        let id = try #require(CharacteristicID(parsing: "1.30"))
        let target = try #require(CharacteristicID(parsing: "1.201"))
        #expect(replay.steps.count == 2)
        let read = try #require(replay.steps.first)
        #expect(read.title == "GET /characteristics?id=1.30,1.40,1.99&meta=1")
        #expect(read.items.map(\.recorded) == [id])
        #expect(read.items.map(\.target) == [target])
        #expect(read.expected[id] == .init(code: 0, value: 1))
        let write = try #require(replay.steps.last)
        #expect(write.isWrite)
        #expect(write.items == [.init(recorded: id, target: target, value: true, ev: nil)])
        #expect(write.expected[id]?.code == 0)
    }

    @Test func whatHasNoMatchIsListedByName() throws {
        let session = try #require(TraceSession.all(in: records).first)
        let replay = TraceReplay(records, of: session, on: try accessories())
        #expect(replay.unmatched == ["Motion Sensor/Motion Detected", "1.99", "Light Bulb/Brightness"])
        #expect(replay.skippedCount == 0)
    }

    @Test func requestsThatCannotBeRepeatedAreCounted() throws {
        let session = try #require(TraceSession.all(in: records).last)
        let replay = TraceReplay(records, of: session, on: try accessories())
        #expect(replay.steps.isEmpty)
        #expect(replay.skippedCount == 1)
    }
}
