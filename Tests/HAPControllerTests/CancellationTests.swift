import AccessoryModel
import ControllerTestSupport
import HAPCore
import TestSupport
import Testing

@testable import HAPController

@Suite("Cancellation of requests")
struct CancellationTests {
    private let on = CharacteristicID(aid: .primary, iid: InstanceID(9) ?? .accessoryInformation)

    private func waitForRequest(_ accessory: ScriptedAccessory, for endpoint: HAPEndpoint) async throws {
        try await eventually("\(endpoint) is requested") {
            accessory.journal.requests.contains { $0.endpoint == endpoint }
        }
    }

    @Test(
        "A cancelled task ends at once, wherever it waits",
        arguments: [.pairVerify, .accessories, .characteristics] as [HAPEndpoint]
    )
    func cancelledTaskEndsAtOnce(_ silent: HAPEndpoint) async throws {
        try await ScriptedAccessory.run(.responding(to: silent) { _ in [] }) { accessory, paired in
            let task = Task { try await paired.read([on]) }
            try await waitForRequest(accessory, for: silent)
            let began = ContinuousClock.now
            task.cancel()
            await expect(.cancelled) { _ = try await task.value }
            #expect(began.duration(to: .now) < .seconds(60))
        }
    }

    @Test("Closing the accessory ends connecting and pair-verify at once")
    func closingEndsAnOpeningAtOnce() async throws {
        try await ScriptedAccessory.run(.responding(to: .pairVerify) { _ in [] }) { accessory, paired in
            let task = Task { try await paired.read([on]) }
            try await waitForRequest(accessory, for: .pairVerify)
            let began = ContinuousClock.now
            await paired.close()
            await expect(.closed) { _ = try await task.value }
            #expect(began.duration(to: .now) < .seconds(60))
        }
    }

    @Test("Closing or cancelling ends a connection attempt that gets no response", arguments: [true, false])
    func closingOrCancellingEndsAConnectionAttemptAtOnce(isClosed: Bool) async throws {
        let backlog = try FullBacklog()
        let stored = StoredPairing(
            alias: "Lamp",
            pairing: Fixture.accessoryPairing,
            host: "127.0.0.1",
            port: backlog.port
        )
        let store = InMemoryControllerStore(identity: Fixture.controller, pairings: [stored])
        let controller = try await Controller.open(store: store, configuration: .quick, resolver: nil)
        let paired = try await controller.accessory("Lamp")
        let task = Task { try await paired.read([on]) }
        try await eventually("the connection is being made") { await paired.isOpening }
        let began = ContinuousClock.now
        if isClosed {
            await controller.close()
        } else {
            task.cancel()
        }
        await expect(isClosed ? .closed : .cancelled) { _ = try await task.value }
        #expect(began.duration(to: .now) < .seconds(60))
        #expect(await !paired.isOpening)
        await controller.close()
    }

    @Test("Cancellation does not affect other callers that wait for the same session")
    func cancellationLeavesOtherCallersWaiting() async throws {
        try await ScriptedAccessory.run { accessory, paired in
            let tasks = (0..<20).map { _ in Task { try await paired.read([on]) } }
            for task in tasks.prefix(10) {
                task.cancel()
            }
            for task in tasks.dropFirst(10) {
                let results = try await task.value
                #expect(results.map(\.value) == [true])
            }
            #expect(accessory.journal.sessionCount == 1)
        }
    }

    @Test("A request that is cancelled before it is queued is not sent")
    func requestCancelledBeforeItIsQueuedIsCancelled() async throws {
        try await ScriptedAccessory.run(.responding(to: .characteristics) { _ in [] }) { accessory, paired in
            let session = try await paired.session()
            let task = Task {
                while !Task.isCancelled {
                    await Task.yield()
                }
                return await session.connection.send([HTTPRequest(.get, .characteristics)], within: .seconds(60))
            }
            task.cancel()
            #expect(await task.value == [.failure(.cancelled)])
            #expect(!accessory.journal.requests.contains { $0.endpoint == .characteristics })
        }
    }

    @Test("A watch that is cancelled while it starts subscribes to nothing")
    func watchCancelledWhileStartingSubscribesToNothing() async throws {
        try await ScriptedAccessory.run(.responding(to: .pairVerify) { _ in [] }) { accessory, paired in
            let task = Task {
                for try await _ in await paired.changes(of: [on]) {}
            }
            try await waitForRequest(accessory, for: .pairVerify)
            task.cancel()
            try await task.value
            try await eventually("no session is being opened") { await !paired.isOpening }
        }
    }
}
