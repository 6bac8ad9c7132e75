import AccessoryModel
import HAPCore
import HAPServer
import Synchronization
import TestSupport
import Testing

/// Hardware that does not report its changes is polled.
@Suite struct PollingTests {
    private static func lamp(_ on: HAPCharacteristic<Bool>) -> HAPAccessory {
        HAPAccessory("Lamp") { HAPService(.lightbulb) { on } }
    }

    @Test func polledChangeReachesSubscribers() async throws {
        let level = Mutex<Bool?>(nil)
        let on = HAPCharacteristic(.on, false).polled(every: .milliseconds(1)) { level.withLock(\.self) }
        try await TestServer.run(Self.lamp(on)) { server in
            let controller = try await server.session()
            let id = try await server.id(.on, of: .lightbulb, in: "Lamp")
            try await controller.subscribe(to: id)
            for value in [true, false] {
                level.withLock { $0 = value }
                #expect(try await controller.eventValues() == [id: value ? 1 : 0])
                #expect(try await server.server.value(of: on) == value)
            }
        }
    }

    @Test func pollResultOlderThanAWriteIsIgnored() async throws {
        let (isAsked, mayAnswer, isAskedAgain) = (Gate(), Gate(), Gate())
        let responses = Counter()
        let on = HAPCharacteristic(.on, false).onWrite { _ in }
            .polled(every: .milliseconds(1)) {
                guard responses.next() == 1 else {
                    await isAskedAgain.open()
                    return nil
                }
                await isAsked.open()
                await mayAnswer.waitUntilOpen()
                return false
            }
        try await TestServer.run(Self.lamp(on)) { server in
            let controller = try await server.session()
            let id = try await server.id(.on, of: .lightbulb, in: "Lamp")
            await isAsked.waitUntilOpen()
            #expect(try await controller.put(true, to: id).status == 204)
            await mayAnswer.open()
            await isAskedAgain.waitUntilOpen()
            #expect(try await server.server.value(of: on) == true)
        }
    }

    @Test func firstErrorOfARunIsReportedAndPollingContinues() async throws {
        let responses = Counter()
        let isDone = Gate()
        let brightness = HAPCharacteristic(.brightness, 100)
            .polled(every: .milliseconds(1)) {
                switch responses.next() {
                case 1, 2: throw TestFailure("no wire")
                case 3: return 50
                case 4: return 101
                case 5: return nil
                default:
                    await isDone.open()
                    return nil
                }
            }
        let lamp = HAPAccessory("Lamp") {
            HAPService(.lightbulb) {
                HAPCharacteristic(.on, false)
                brightness
            }
        }
        try await TestServer.run(lamp) { server in
            await isDone.waitUntilOpen()
            let id = try await server.id(.brightness, of: .lightbulb, in: "Lamp")
            let failures = server.journal.events.filter { if case .handlerFailed = $0 { true } else { false } }
            #expect(
                failures == [
                    .handlerFailed(id, "no wire"), .handlerFailed(id, "101 is not a value of this characteristic"),
                ]
            )
            #expect(try await server.server.value(of: brightness) == 50)
        }
    }

    @Test func replacedAccessoryIsNotPolled() async throws {
        let (isAsked, mayAnswer) = (Gate(), Gate())
        let old = HAPCharacteristic(.on, false)
            .polled(every: .milliseconds(1)) {
                await isAsked.open()
                await mayAnswer.waitUntilOpen()
                return true
            }
        let responses = Counter()
        let isAskedTwice = Gate()
        let new = HAPCharacteristic(.on, false)
            .polled(every: .milliseconds(1)) {
                if responses.next() == 2 { await isAskedTwice.open() }
                return nil
            }
        try await TestServer.run(Self.lamp(old)) { server in
            await isAsked.waitUntilOpen()
            try await server.server.replace(with: Self.lamp(new))
            await mayAnswer.open()
            await isAskedTwice.waitUntilOpen()
            #expect(try await server.server.value(of: new) == false)
        }
    }
}
