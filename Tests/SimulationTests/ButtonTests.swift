import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

struct ButtonTests {
    @Test(arguments: ButtonPress.allCases)
    func repeatedPressesAreSeparateEvents(press: ButtonPress) {
        var button = BehaviorOwner(Button())
        #expect(button.start() == [])
        let event = [BehaviorChange(.programmableSwitchEvent, .integer(press.rawValue))]
        #expect(button.perform(.press(press)) == event)
        #expect(button.perform(.press(press)) == event)
        #expect(button.perform(.applySensorInput(event[0])) == event)
        #expect(button.device.nextDeadline == nil)
    }

    @Test(arguments: [
        BehaviorCommand.stop, .obstruct, .applySensorInput(BehaviorChange(.programmableSwitchEvent, 3)),
        .applySensorInput(BehaviorChange(.name, 1)),
    ])
    func otherCommandsAreRefused(command: BehaviorCommand) {
        var button = BehaviorOwner(Button())
        #expect(button.perform(command) == nil)
        var doorbell = BehaviorOwner(Doorbell())
        #expect(doorbell.perform(command) == nil)
    }

    @Test func controllersCannotPressIt() {
        var button = BehaviorOwner(Button())
        #expect(button.write(.programmableSwitchEvent, 0).refusals == [.programmableSwitchEvent: .readOnly])
        #expect(button.write(.name, "Bed").refusals.isEmpty)
    }

    @Test func aDoorbellChimesForAWhile() {
        var doorbell = BehaviorOwner(Doorbell(), keeping: [.volume: 70, .mute: false])
        #expect(doorbell.start() == [])
        #expect(doorbell.reading("chime") == 0)
        #expect(doorbell.perform(.press(.single)) == [BehaviorChange(.programmableSwitchEvent, 0)])
        #expect(doorbell.reading("chime") == 70)
        #expect(doorbell.advance(by: .seconds(2)) == [])
        #expect(doorbell.reading("chime") == 0)
        #expect(doorbell.device.nextDeadline == nil)
    }

    @Test func aMutedDoorbellSendsThePressSilently() {
        var doorbell = BehaviorOwner(Doorbell(), keeping: [.volume: 70, .mute: false])
        _ = doorbell.start()
        _ = doorbell.write(.mute, true)
        #expect(doorbell.perform(.press(.single))?.count == 1)
        #expect(doorbell.reading("chime") == 0)
        _ = doorbell.write([BehaviorChange(.mute, false), BehaviorChange(.volume, 30)])
        #expect(doorbell.reading("chime") == 30)
        #expect(doorbell.write(.volume, "loud").refusals == [.volume: .invalidValue])
        #expect(doorbell.write(.mute, 2).refusals == [.mute: .invalidValue])
    }
}
