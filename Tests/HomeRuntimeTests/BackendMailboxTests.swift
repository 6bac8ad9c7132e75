import AccessoryModel
import AsyncPrimitives
import HAPCore
import HomeModel
import TestSupport
import Testing

@testable import HomeRuntime

@Suite("The mailbox of a home backend")
struct BackendMailboxTests {
    private func reference(_ number: UInt64) throws -> CharacteristicReference {
        let server = try #require(DeviceID("00:11:22:33:44:55"))
        let id = try #require(CharacteristicID(1, number))
        return .init(accessory: AccessoryReference(server: server, aid: id.aid), iid: id.iid)
    }

    @Test("keeps all changes in order up to its capacity, and then only the latest of each characteristic")
    func theMailboxIsBounded() throws {
        let mailbox = BackendMailbox(BackendChanges(capacity: 3))
        let (one, two) = (try reference(1), try reference(2))
        for value in 1...3 {
            mailbox.send(.value(one, .integer(value)))
        }
        mailbox.send(.value(one, 4))
        mailbox.send(.value(two, 5))
        mailbox.send(.value(two, 6))
        #expect(mailbox.dequeue() == [.value(one, 1), .value(one, 2), .value(one, 4), .value(two, 6)])
        #expect(mailbox.dequeue() == nil)
    }

    @Test("keeps only the latest state of each server beyond its capacity")
    func statesOfServersAreBounded() throws {
        let mailbox = BackendMailbox(BackendChanges(capacity: 2))
        let server = try #require(DeviceID("00:11:22:33:44:55"))
        let other = try #require(DeviceID("00:11:22:33:44:56"))
        for _ in 0..<100 {
            mailbox.send(.unreachable(server, "gone"))
            mailbox.send(.structureChanged(server))
            mailbox.send(.reachable(server))
            mailbox.send(.structureChanged(other))
        }
        #expect(
            mailbox.dequeue() == [.reachable(server), .structureChanged(server), .structureChanged(other)]
        )
    }

    @Test("imports the structure of each server once, however often it changes")
    func pendingServersAreBounded() throws {
        let server = try #require(DeviceID("00:11:22:33:44:55"))
        let other = try #require(DeviceID("00:11:22:33:44:56"))
        let mailbox = Mailbox(PendingServers())
        for _ in 0..<100 {
            mailbox.send(server)
            mailbox.send(other)
        }
        #expect(mailbox.dequeue() == server)
        // A change while the structure is read needs another reading.
        mailbox.send(server)
        #expect([mailbox.dequeue(), mailbox.dequeue(), mailbox.dequeue()] == [other, server, nil])
    }

    @Test("resumes a waiting task on a change, at once if one is present, and on cancellation")
    func aChangeWakesTheReader() async throws {
        let mailbox = BackendMailbox()
        mailbox.send(.value(try reference(1), 1))
        await mailbox.wait()
        let waiting = Task { await mailbox.wait() }
        mailbox.wake()
        await waiting.value
        let cancelled = Task { await mailbox.wait() }
        cancelled.cancel()
        await cancelled.value
    }
}
