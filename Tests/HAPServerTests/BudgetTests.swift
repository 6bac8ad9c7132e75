import AccessoryModel
import HAPCore
import NIOCore
import NIOEmbedded
import Synchronization
import TestSupport
import Testing

@testable import HAPServer

/// The limits on memory and on the work per turn, for a single request and for all requests together.
///
/// HAP: §12, §13, §14, §15 (−70407)
@Suite struct BudgetTests {
    private static let service = ServiceType(HAPUUID(high: 0x3333_0000_0000_4000, low: 0x8000_0000_0000_0000))
    private static let size = 60_000

    private static func type(_ number: Int) -> CharacteristicType {
        CharacteristicType(HAPUUID(high: 0x3333_0000_0000_4000, low: 0x9000_0000_0000_0000 + UInt64(number)))
    }

    private static func blob(_ count: Int = size) -> CharacteristicValue {
        .data([UInt8](repeating: 0x5A, count: count))
    }

    /// Returns an accessory with a number of large values.
    private static func accessory(
        _ count: Int,
        _ permissions: CharacteristicPermissions = [.read, .write, .events],
        value: CharacteristicValue = blob()
    ) -> Accessory {
        var accessory = TestAccessory.accessory()
        let characteristics = (0..<count)
            .map {
                Characteristic(
                    type: type($0),
                    permissions: permissions,
                    metadata: CharacteristicMetadata(format: .data),
                    value: value
                )
            }
        accessory.services.append(Service(service, characteristics: characteristics))
        return accessory
    }

    private static func ids(_ count: Int, of server: TestServer) async throws -> [CharacteristicID] {
        var ids: [CharacteristicID] = []
        for number in 0..<count {
            ids.append(try await server.id(type(number), of: service))
        }
        return ids
    }

    @Test func valuesBeyondTheBudgetOfAReadFail() async throws {
        try await TestServer.run([Self.accessory(40)]) { server in
            let controller = try await server.session()
            let ids = try await Self.ids(40, of: server)
            for includes in [[], [.meta, .perms, .type, .ev]] as [ReadOptions] {
                let response = try await controller.get(ids, includes: includes)
                #expect(response.status == 207)
                #expect(response.body.count <= ResponseBudget.maximumBytes)
                #expect(response.statuses == (0..<40).map { $0 < 13 ? 0 : -70_407 })
                #expect(response.values.count == 13)
            }
        }
    }

    @Test func repeatedIDIsReadOnce() async throws {
        try await TestServer.run([Self.accessory(1, value: Self.blob(2 << 20))]) { server in
            let controller = try await server.session()
            let large = CharacteristicAddress(try await Self.ids(1, of: server)[0])
            let lamp = CharacteristicAddress(try await server.lamp)
            for repeated in [[large], [large, lamp], [lamp, large]] {
                let read = CharacteristicReadRequest(Array(repeating: repeated, count: 1_024).flatMap(\.self))
                let response = try await controller.request(HTTPRequest(.get, .characteristics, query: read.query))
                let items = try CharacteristicResponse(parsing: response.body).items
                #expect(items.map(\.address) == repeated)
                // A value larger than the budget is sent only if it is the first item.
                #expect(items.map { $0.status ?? 0 } == repeated.enumerated().map { $0.offset == 0 ? 0 : -70_407 })
            }
        }
    }

    @Test func valuesBeyondTheBudgetOfAWriteResponseFail() async throws {
        let accessory = Self.accessory(20, [.read, .write, .writeResponse], value: .data([]))
        let handlers = Dictionary(
            uniqueKeysWithValues: (0..<20)
                .map { number in
                    (
                        CharacteristicKey(
                            accessory: TestAccessory.key,
                            service: ServiceKey(Self.service),
                            type: Self.type(number)
                        ),
                        CharacteristicHandler(onWrite: { _, _ in Self.blob() })
                    )
                }
        )
        try await TestServer.run([accessory], handlers: handlers) { server in
            let controller = try await server.session()
            let items = try await Self.ids(20, of: server)
                .map { CharacteristicWriteItem(CharacteristicAddress($0), value: "AAAA") }
            let response = try await controller.put(items)
            #expect(response.status == 207)
            #expect(response.body.count <= ResponseBudget.maximumBytes)
            #expect(response.statuses == (0..<20).map { $0 < 13 ? 0 : -70_407 })
            // The values were written nevertheless.
            #expect(try await controller.get([try await Self.ids(20, of: server)[19]]).body.count > Self.size)
        }
    }

    @Test func aWriteChangesALimitedNumberOfValues() async throws {
        try await TestServer.run([TestAccessory.accessory()]) { server in
            let controller = try await server.session()
            let (limit, lamp) = (CharacteristicWriteRequest.maximumValueCount, try await server.lamp)
            let unknown = (1...limit).map { CharacteristicAddress(aid: 1_000_000 + UInt64($0), iid: 9) }
            let values = (unknown + [CharacteristicAddress(lamp)]).map { CharacteristicWriteItem($0, value: true) }
            let refused = try await controller.put(values)
            #expect(refused.statuses == Array(repeating: -70_409, count: limit) + [-70_407])
            #expect(try await controller.value(of: lamp) == 0)
            let subscribed = try await controller.put(
                unknown.map { CharacteristicWriteItem($0, ev: true) }
                    + [CharacteristicWriteItem(CharacteristicAddress(lamp), value: true, ev: true)]
            )
            #expect(subscribed.statuses == Array(repeating: -70_409, count: limit) + [0])
            #expect(try await controller.value(of: lamp) == 1)
        }
    }

    @Test(arguments: [false, true])
    func aWriteOfManyValuesReachesEveryOneOfManySubscribers(isStopped: Bool) async throws {
        let count = 400
        try await TestServer.run([Self.accessory(count, value: .data([]))]) { server in
            let writer = try await server.session()
            let ids = try await Self.ids(count, of: server)
            // The server needs several turns for this number of subscribers.
            var subscribers: [TestController] = []
            for _ in 0..<12 {
                let subscriber = try await server.session()
                _ = try await subscriber.put(ids.map { CharacteristicWriteItem(CharacteristicAddress($0), ev: true) })
                subscribers.append(subscriber)
            }
            let response = try await writer.put(
                ids.map { CharacteristicWriteItem(CharacteristicAddress($0), value: "AAAA") }
            )
            #expect(response.status == 204)
            if isStopped {
                await server.server.stop()
            }
            for subscriber in subscribers {
                #expect(try await subscriber.eventValues().count == count)
            }
        }
    }

    @Test func eventsBeyondTheBudgetAreSentInTheNextMessage() async throws {
        try await TestServer.run([Self.accessory(15, value: .data([]))]) { server in
            let controller = try await server.session()
            let ids = try await Self.ids(15, of: server)
            _ = try await controller.put(ids.map { CharacteristicWriteItem(CharacteristicAddress($0), ev: true) })
            _ = await server.server.write(ids.map { CharacteristicWrite($0, Self.blob()) })
            let first = try await controller.event()
            #expect(first.body.count <= ResponseBudget.maximumBytes)
            #expect(Set(first.values.keys) == Set(ids.prefix(13)))
            #expect(Set(try await controller.eventValues().keys) == Set(ids.suffix(2)))
        }
    }

    @Test func unreadResponsesLeaveLittleBudgetForLongResponses() async throws {
        var configuration = ServerConfiguration.testing
        configuration.connectionLimits.unsentBytes = 0
        try await TestServer.run([Self.accessory(5)], configuration: configuration) { server in
            let controller = try await server.session()
            let response = try await controller.get(try await Self.ids(5, of: server))
            #expect(response.statuses == [0, 0, 0, -70_407, -70_407])
            let accessories = try await controller.request(HTTPRequest(.get, .accessories))
            #expect((accessories.status, accessories.text) == (500, #"{"status":-70407}"#))
            #expect(try await controller.value(of: try await server.lamp) == 0)
        }
    }

    @Test func largeDatabaseIsSentWholeInManyTurns() async throws {
        let accessories = (0..<8)
            .map { number in
                number == 0 ? TestAccessory.accessory() : TestAccessory.bridged(key: "\(number)")
            }
            .map { bench in
                var accessory = bench
                accessory.services.append(contentsOf: Self.accessory(10).services.suffix(1))
                return accessory
            }
        try await TestServer.run(accessories) { server in
            let controller = try await server.session()
            for _ in 0..<2 {
                let response = try await controller.request(HTTPRequest(.get, .accessories))
                #expect(response.status == 200)
                #expect(response.body.count > 6_400_000)
                let database = try JSONValue(parsing: response.body)
                #expect(database.object?["accessories"]?.array?.count == 8)
            }
            #expect(try await controller.value(of: try await server.lamp) == 0)
        }
    }

    @Test func longMessageIsSentInPartsAndDelaysRequests() throws {
        let unsent = ByteBudget(limit: 2 << 20)
        let (channel, handler, delegate) = try EmbeddedChannel.serving(unsent: unsent)
        let count = 1 << 20
        handler.send([UInt8](repeating: 7, count: count))
        try channel.writeInbound(ByteBuffer(string: "GET /accessories HTTP/1.1\r\n\r\n"))
        #expect(handler.isBusy)
        #expect(unsent.usedBytes == count)
        #expect(handler.availableBytes == 1 << 20)
        var parts: [Int] = []
        while handler.longMessage != nil {
            #expect(delegate.counts.requests == 0)
            while let part = try channel.readOutbound(as: ByteBuffer.self) {
                parts.append(part.readableBytes)
            }
            #expect(delegate.counts.yields == parts.count)
            handler.resume()
        }
        while let part = try channel.readOutbound(as: ByteBuffer.self) {
            parts.append(part.readableBytes)
        }
        #expect(parts.prefix(4) == [256 << 10, 256 << 10, 256 << 10, 256 << 10])
        #expect(delegate.counts.requests == 1)
        #expect(unsent.usedBytes == 0)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test(arguments: [true, false])
    func interruptedLongMessageReleasesItsBytesOnce(isPeerGone: Bool) throws {
        let unsent = ByteBudget(limit: 2 << 20)
        let (channel, handler, _) = try EmbeddedChannel.serving(unsent: unsent)
        let written = Mutex(0)
        let bytes = [UInt8](repeating: 7, count: 1 << 20)
        handler.respond(replacement: bytes, then: ResponseCompletion(onWritten: { written.withLock { $0 += 1 } }))
        #expect(handler.longMessage != nil)
        #expect(written.withLock { $0 } == 0)
        if isPeerGone {
            channel.pipeline.fireChannelInactive()
        } else {
            handler.close(.stopping)
        }
        channel.embeddedEventLoop.run()
        #expect(unsent.usedBytes == 0)
        #expect(written.withLock { $0 } == 1)
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    @Test func stoppingServerFinishesALongMessage() throws {
        let (channel, handler, _) = try EmbeddedChannel.serving()
        handler.send([UInt8](repeating: 7, count: 1 << 20))
        _ = handler.closeWhenSent(within: .seconds(3))
        channel.embeddedEventLoop.run()
        var count = 0
        while let part = try channel.readOutbound(as: ByteBuffer.self) {
            count += part.readableBytes
        }
        #expect(count == 1 << 20)
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    @Test func requestIsHandledAfterTwoLongMessages() throws {
        let unsent = ByteBudget(limit: 4 << 20)
        let (channel, handler, delegate) = try EmbeddedChannel.serving(unsent: unsent)
        handler.send([UInt8](repeating: 7, count: 1 << 20))
        handler.send([UInt8](repeating: 8, count: 1 << 20))
        try channel.writeInbound(ByteBuffer(string: "GET /accessories HTTP/1.1\r\n\r\n"))
        #expect(delegate.counts.requests == 0)
        while handler.longMessage != nil {
            channel.embeddedEventLoop.run()
            handler.resume()
        }
        var bytes: [UInt8] = []
        while let part = try channel.readOutbound(as: ByteBuffer.self) {
            bytes += part.readableBytesView
        }
        // The response to the request follows the two messages.
        try #require(bytes.count > 2 << 20)
        #expect(bytes[(1 << 20) - 1] == 7 && bytes[1 << 20] == 8 && bytes[(2 << 20) - 1] == 8)
        #expect(delegate.counts.requests == 1)
        #expect(unsent.usedBytes == 0)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }
}
