import AccessoryFiles
import AccessoryModel
import Dispatch
import HAPCore
import HAPServer
import Hosting
import TestSupport
import Testing

@testable import WebConsole

struct TrafficRecorderTests {
    private let recorder = TrafficRecorder()
    private let connection = ConnectionID(3)

    private func write(_ path: HAPEndpoint = .characteristics) -> TrafficMessage {
        .request(HTTPRequest(.put, path, body: Array(#"{"pid":1}"#.utf8)))
    }

    @Test func messagesAreWantedOnlyWhileAClientReadsThem() async {
        let observer = recorder.traffic(of: "Garage")
        #expect(!observer.isWanted.isOn)
        let (stream, _) = recorder.feed.messages()
        #expect(observer.isWanted.isOn)
        let reading = Task { for await _ in stream {} }
        reading.cancel()
        await reading.value
        #expect(!observer.isWanted.isOn)
    }

    @Test func clientReceivesMessagesInOrder() async throws {
        let observer = recorder.traffic(of: "Garage")
        let (stream, continuation) = recorder.feed.messages()
        observer.observe(write(), on: connection, of: nil)
        observer.observe(.response(HTTPResponse(.noContent)), on: connection, of: nil)
        var lines: [String] = []
        for await message in stream {
            lines.append(try #require(message.line))
            if lines.count == 2 { break }
        }
        continuation.finish()
        let records = try lines.map { try #require(TraceRecord(line: $0)) }
        #expect(records.map(\.kind) == [.request, .response])
        #expect(records[0].server == "Garage" && records[0].method == "PUT" && records[0].path == "/characteristics")
        #expect(records[0].body?.object?["pid"]?.unsigned == 1)
        #expect(records[1].status == 204)
    }

    @Test func bodiesOfPairingAndOfUnknownRequestsAreHidden() async throws {
        let observer = recorder.traffic(of: "Garage")
        let (stream, continuation) = recorder.feed.messages()
        let secret = Array(#"{"secret":"c2VjcmV0"}"#.utf8)
        observer.observe(.request(HTTPRequest(.post, .pairSetup, body: secret)), on: connection, of: nil)
        observer.observe(.response(HTTPResponse(.ok, body: secret)), on: connection, of: nil)
        // The request of this response was not observed.
        observer.observe(.response(HTTPResponse(.ok, body: secret)), on: ConnectionID(4), of: nil)
        var count = 0
        for await message in stream {
            #expect(!(message.line ?? "").contains("c2VjcmV0"))
            #expect((message.line ?? "").contains("hiddenBytes"))
            count += 1
            if count == 3 { break }
        }
        continuation.finish()
    }

    @Test func messageOfADriverIsARecord() async throws {
        let observer = recorder.traffic(of: "Bridge")
        let (stream, continuation) = recorder.feed.messages()
        let body = JSONValue.object(["type": "PLAY"])
        for body in [.json(body), .text("hello"), .hidden(7)] as [DriverMessage.Body] {
            let message = DriverMessage(.received, peer: 2, from: "sender-0", to: "receiver-0", path: "media", body)
            observer.observe(message, of: "TV", size: 10)
        }
        var records: [TraceRecord] = []
        for await message in stream {
            let line = try #require(message.line)
            records.append(try #require(TraceRecord(line: line)))
            if records.count == 3 { break }
        }
        continuation.finish()
        #expect(records.allSatisfy { $0.kind == .received && $0.server == "Bridge" && $0.accessory == "TV" })
        #expect(records.allSatisfy { $0.peer == 2 && $0.source == "sender-0" && $0.destination == "receiver-0" })
        #expect(records.map(\.path) == ["media", "media", "media"])
        #expect(records.map(\.body) == [body, .string("hello"), nil])
        #expect(records.map(\.hiddenBytes) == [nil, nil, 7])
    }

    @Test func slowClientMissesMessagesAndLearnsHowMany() async throws {
        let observer = recorder.traffic(of: "Garage")
        let (stream, continuation) = recorder.feed.messages()
        for _ in 0..<60 { observer.observe(write(), on: connection, of: nil) }
        recorder.feed.flush()
        var iterator = stream.makeAsyncIterator()
        for _ in 0..<50 { #expect(await iterator.next()?.missed == 0) }
        observer.observe(write(), on: connection, of: nil)
        #expect(await iterator.next()?.missed == 10)
        continuation.finish()
    }

    @Test func longBodyIsReplacedByItsSize() async throws {
        let observer = recorder.traffic(of: "Garage")
        let (stream, continuation) = recorder.feed.messages()
        let body = Array("[\(String(repeating: "1,", count: 20_000))1]".utf8)
        observer.observe(.request(HTTPRequest(.put, .characteristics, body: body)), on: connection, of: nil)
        var iterator = stream.makeAsyncIterator()
        let line = try #require(await iterator.next()?.line)
        let record = try #require(TraceRecord(line: line))
        #expect(record.body == nil && record.hiddenBytes == body.count)
        continuation.finish()
    }

    @Test func messagesBeyondTheLimitAreNotComposedAndCounted() async throws {
        let (stream, continuation) = recorder.feed.messages()
        let isBlocked = DispatchSemaphore(value: 0)
        let composed = Counter()
        for number in 0..<5_000 {
            recorder.feed.publish(size: 10) {
                if number == 0 { isBlocked.wait() }
                composed.next()
                return TraceRecord(.closed)
            }
        }
        isBlocked.signal()
        recorder.feed.flush()
        #expect(composed.count == 1_000)
        var iterator = stream.makeAsyncIterator()
        for _ in 0..<50 { #expect(await iterator.next()?.missed == 0) }
        recorder.feed.publish(size: 10) { TraceRecord(.closed) }
        #expect(await iterator.next()?.missed == 4_950)
        continuation.finish()
    }

    @Test func largeMessagesThatWaitAreLimited() {
        let isBlocked = DispatchSemaphore(value: 0)
        let composed = Counter()
        for number in 0..<50 {
            recorder.feed.publish(size: 1 << 20) {
                if number == 0 { isBlocked.wait() }
                composed.next()
                return TraceRecord(.closed)
            }
        }
        isBlocked.signal()
        recorder.feed.flush()
        #expect(composed.count == 4)
    }

    @Test func valuesAreShownOnlyWhileTheAccessoriesAreKnown() async throws {
        var identifiers = IdentifierMap()
        let text = "accessory: Lamp\nservices: [{ type: Lightbulb }]\n"
        let contents = try AccessoryFile.read(Array(text.utf8), name: "lamp.yaml") { _ in nil }
        let accessories = contents.document.makeAccessories(isSimulated: false)
        let database = try AttributeDatabase(accessories, identifiers: &identifiers)
        let id = try #require(database.characteristics.first { $0.type == .on }?.id)
        let observer = recorder.traffic(of: "Lamp")
        let item = #"{"aid":\#(id.aid.rawValue),"iid":\#(id.iid.rawValue),"value":true}"#
        let body = Array(#"{"characteristics":[\#(item)]}"#.utf8)
        let (stream, continuation) = recorder.feed.messages()
        for isKnown in [false, true, false] {
            observer.setAccessories(isKnown ? database : nil)
            observer.observe(.event(body: body), on: connection, of: nil)
        }
        recorder.feed.flush()
        continuation.finish()
        var shown: [Bool] = []
        for await message in stream { shown.append(message.line?.contains("\"value\":true") == true) }
        #expect(shown == [false, true, false])
    }
}
