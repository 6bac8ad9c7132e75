import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

struct TelevisionTests {
    private static func television(active: Int = 1, media: Int = 1) -> BehaviorOwner<Television> {
        var owner = BehaviorOwner(
            Television(.init(bootDuration: .seconds(5), buffering: .seconds(1))),
            keeping: [
                .active: .integer(active), .activeIdentifier: 2, .targetMediaState: .integer(media),
                .currentMediaState: .integer(active == 1 ? media : 2),
            ]
        )
        #expect(owner.start() == [])
        for (name, identifier) in [("Antenna", 1), ("Games", 2)] {
            let input = ServiceKey(.inputSource, subtype: name)
            #expect(owner.observe([BehaviorChange(.identifier, .integer(identifier))], of: input) == [])
        }
        return owner
    }

    @Test func thePictureAppearsAfterBooting() {
        var television = Self.television(active: 0)
        #expect(television.write(.active, 1).changes == [BehaviorChange(.currentMediaState, 1)])
        #expect(television.reading("picture") == 0)
        #expect(television.reading("picture", in: .seconds(5)) == 100)
        #expect(television.advance(by: .seconds(5)) == [])
        #expect(television.device.nextDeadline == nil)
    }

    @Test func mediaLoadsAfterBooting() {
        var television = Self.television(active: 0, media: 0)
        #expect(television.write(.active, 1).changes == [BehaviorChange(.currentMediaState, 4)])
        #expect(television.advance(by: .seconds(5)) == [])
        #expect(television.advance(by: .seconds(1)) == [BehaviorChange(.currentMediaState, 0)])
        #expect(television.write(.active, 0).changes == [BehaviorChange(.currentMediaState, 2)])
    }

    @Test func onlyExistingInputsAreAccepted() {
        var television = Self.television()
        #expect(television.write(.activeIdentifier, 1) == BehaviorResponse())
        #expect(television.write(.activeIdentifier, 9).refusals == [.activeIdentifier: .invalidValue])
        #expect(television.write(.activeIdentifier, -1).refusals == [.activeIdentifier: .invalidValue])
        #expect(television.values[.activeIdentifier] == 1)
    }

    @Test func playPauseToggles() {
        var television = Self.television()
        #expect(
            television.write(.remoteKey, 11).changes
                == [BehaviorChange(.targetMediaState, 0), BehaviorChange(.currentMediaState, 4)]
        )
        #expect(television.advance(by: .seconds(1)) == [BehaviorChange(.currentMediaState, 0)])
        #expect(
            television.write(.remoteKey, 11).changes
                == [BehaviorChange(.targetMediaState, 1), BehaviorChange(.currentMediaState, 1)]
        )
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5, 6, 7, 8])
    func otherKeysAreExposedAsReadings(key: Int) {
        var television = Self.television()
        #expect(television.reading("key") == -1)
        #expect(television.write(.remoteKey, .integer(key)) == BehaviorResponse())
        #expect(television.reading("key") == Double(key))
    }

    @Test(arguments: [9, 10])
    func informationOpensAMenuThatBackAndExitLeave(key: Int) {
        var television = Self.television()
        _ = television.write(.remoteKey, 15)
        #expect(television.reading("menu") == 1)
        _ = television.write(.remoteKey, .integer(key))
        #expect(television.reading("menu") == 0)
        _ = television.write(.powerModeSelection, 0)
        #expect(television.reading("menu") == 1)
        _ = television.write(.active, 0)
        #expect(television.reading("menu") == 0)
    }

    @Test func aTelevisionThatIsOffIgnoresKeys() {
        var television = Self.television(active: 0)
        #expect(television.write(.remoteKey, 11) == BehaviorResponse())
        #expect(television.reading("key") == -1)
        #expect(television.values[.targetMediaState] == 1)
    }

    @Test(arguments: [
        (CharacteristicType.active, CharacteristicValue.integer(2), HAPStatus.invalidValue),
        (.remoteKey, 12, .invalidValue), (.remoteKey, "up", .invalidValue), (.targetMediaState, 3, .invalidValue),
        (.powerModeSelection, 2, .invalidValue), (.currentMediaState, 0, .readOnly),
    ])
    func unsupportedValuesAreRefused(type: CharacteristicType, value: CharacteristicValue, status: HAPStatus) {
        var television = Self.television()
        #expect(television.write(type, value) == BehaviorResponse(refusals: [type: status]))
    }

    @Test func deviceKeysActLikeWrites() {
        var television = Self.television()
        #expect(television.perform(.applySensorInput(BehaviorChange(.activeIdentifier, 1)))?.count == 1)
        #expect(television.perform(.applySensorInput(BehaviorChange(.activeIdentifier, 7))) == nil)
        #expect(
            television.perform(.applySensorInput(BehaviorChange(.active, 0))) == [
                BehaviorChange(.active, 0), BehaviorChange(.currentMediaState, 2),
            ]
        )
        #expect(television.perform(.press(.single)) == nil)
    }

    // MARK: - Inputs and speakers

    @Test func theVisibilityOfAnInputFollowsItsTarget() {
        var input = BehaviorOwner(InputSource(), keeping: [.targetVisibilityState: 1])
        #expect(input.start() == [BehaviorChange(.currentVisibilityState, 1)])
        #expect(input.write(.targetVisibilityState, 0).changes == [BehaviorChange(.currentVisibilityState, 0)])
        #expect(input.write(.targetVisibilityState, 5).refusals == [.targetVisibilityState: .invalidValue])
        #expect(input.write(.configuredName, "Films") == BehaviorResponse())
    }

    @Test func anUnpluggedInputIsHiddenAndNotConfigured() {
        var input = BehaviorOwner(InputSource(), keeping: [.targetVisibilityState: 0, .isConfigured: 1])
        _ = input.start()
        #expect(
            input.perform(.unplug) == [BehaviorChange(.isConfigured, 0), BehaviorChange(.currentVisibilityState, 1)]
        )
        #expect(input.write(.targetVisibilityState, 0) == BehaviorResponse())
        // It stays unplugged over a restart.
        var again = BehaviorOwner(InputSource(), keeping: input.values)
        #expect(again.start() == [])
        #expect(again.write(.targetVisibilityState, 1) == BehaviorResponse())
        #expect(again.perform(.plug) == [BehaviorChange(.isConfigured, 1)])
        #expect(again.write(.targetVisibilityState, 0).changes == [BehaviorChange(.currentVisibilityState, 0)])
        #expect(again.perform(.obstruct) == nil)
    }

    @Test func anInputWithoutATargetStaysHidden() {
        var input = BehaviorOwner(InputSource(), keeping: [.currentVisibilityState: 1, .isConfigured: 1])
        #expect(input.start() == [])
        #expect(input.perform(.unplug) == [BehaviorChange(.isConfigured, 0)])
        #expect(input.perform(.plug) == [BehaviorChange(.isConfigured, 1)])
        #expect(input.values[.currentVisibilityState] == 1)
    }

    @Test func aControllerThatWritesIsConfiguredDoesTheSameAsTheCable() {
        var input = BehaviorOwner(InputSource(), keeping: [.targetVisibilityState: 0, .isConfigured: 1])
        _ = input.start()
        #expect(input.write(.isConfigured, 0).changes == [BehaviorChange(.currentVisibilityState, 1)])
        #expect(
            input.perform(.applySensorInput(BehaviorChange(.isConfigured, 1)))
                == [BehaviorChange(.isConfigured, 1), BehaviorChange(.currentVisibilityState, 0)]
        )
    }

    @Test(arguments: [["A", "B"], ["B", "A"]])
    func atTheStartAnUnpluggedInputIsNotShownInAnyOrder(order: [String]) {
        var television = BehaviorOwner(Television(), keeping: [.active: 1, .activeIdentifier: 1])
        _ = television.start()
        for name in order {
            let known = [
                BehaviorChange(.identifier, .integer(name == "A" ? 1 : 2)),
                BehaviorChange(.isConfigured, .integer(name == "A" ? 0 : 1)),
            ]
            _ = television.observe(known, of: ServiceKey(.inputSource, subtype: name))
        }
        #expect(television.values[.activeIdentifier] == 2)
    }

    /// The identifiers that a controller has written, the inputs that are unplugged then, and the active input.
    @Test(arguments: [
        ([2], ["B"], 1), ([2, 3], ["C"], 2), ([2, 3], ["B", "C"], 1), ([3, 2, 3], ["C"], 2), ([2, 1], ["A"], 2),
        ([2], ["A"], 2), ([2], ["A", "B", "C"], 3),
    ])
    func anInputThatGoesAwayIsReplacedByTheFormerOne(written: [Int], unplugged: [String], active: Int) {
        var television = BehaviorOwner(Television(), keeping: [.active: 1, .activeIdentifier: 1])
        _ = television.start()
        let inputs = ["A", "B", "C"].map { ServiceKey(.inputSource, subtype: $0) }
        for (number, input) in inputs.enumerated() {
            let known = [BehaviorChange(.identifier, .integer(number + 1)), BehaviorChange(.isConfigured, 1)]
            #expect(television.observe(known, of: input) == [])
        }
        for identifier in written {
            _ = television.write(.activeIdentifier, .integer(identifier))
        }
        for name in unplugged {
            _ = television.observe([BehaviorChange(.isConfigured, 0)], of: ServiceKey(.inputSource, subtype: name))
        }
        #expect(television.values[.activeIdentifier] == .integer(active))
    }

    @Test func outletsAndBatteriesHaveCables() {
        var outlet = BehaviorOwner(Outlet(), keeping: [.on: true])
        _ = outlet.start()
        #expect(outlet.perform(.unplug) == [BehaviorChange(.outletInUse, false)])
        #expect(outlet.perform(.plug) == [BehaviorChange(.outletInUse, true)])
        var battery = BehaviorOwner(Battery(), keeping: [.batteryLevel: 50, .chargingState: 0, .statusLowBattery: 0])
        _ = battery.start()
        #expect(battery.perform(.plug) == [BehaviorChange(.chargingState, 1)])
        #expect(battery.perform(.unplug) == [BehaviorChange(.chargingState, 0)])
        var cell = BehaviorOwner(Battery(), keeping: [.batteryLevel: 50, .chargingState: 2, .statusLowBattery: 0])
        _ = cell.start()
        #expect(cell.perform(.plug) == nil && cell.perform(.unplug) == nil)
    }

    @Test func theVolumeKeysMoveTheVolumeWithinItsRange() {
        var speaker = BehaviorOwner(TelevisionSpeaker(.init(step: 40)), keeping: [.mute: true, .volume: 50])
        #expect(speaker.start() == [])
        #expect(speaker.write(.volumeSelector, 1).changes == [BehaviorChange(.volume, 10)])
        #expect(speaker.write(.volumeSelector, 1).changes == [BehaviorChange(.volume, 0)])
        #expect(speaker.write(.volumeSelector, 1).changes == [])
        #expect(speaker.reading("output") == 0)
        #expect(
            speaker.write(.volumeSelector, 0).changes == [BehaviorChange(.volume, 40), BehaviorChange(.mute, false)]
        )
        _ = speaker.write(.volume, 90)
        #expect(speaker.write(.volumeSelector, 0).changes == [BehaviorChange(.volume, 100)])
        #expect(speaker.write(.volume, 101).refusals == [.volume: .invalidValue])
        #expect(speaker.write(.volumeSelector, "up").refusals == [.volumeSelector: .invalidValue])
    }

    @Test func aSpeakerWithoutVolumeReportsNone() {
        var speaker = BehaviorOwner(TelevisionSpeaker(), keeping: [.mute: false])
        #expect(speaker.start() == [])
        #expect(speaker.write(.volumeSelector, 0) == BehaviorResponse())
        #expect(speaker.reading("output") == 55)
        #expect(speaker.perform(.applySensorInput(BehaviorChange(.mute, true))) == [BehaviorChange(.mute, true)])
        #expect(speaker.perform(.stop) == nil)
    }

    @Test func aSmartSpeakerLoadsBeforeItPlays() {
        var speaker = BehaviorOwner(SmartSpeaker(), keeping: [.targetMediaState: 1, .currentMediaState: 1])
        #expect(speaker.start() == [])
        #expect(speaker.write(.targetMediaState, 0).changes == [BehaviorChange(.currentMediaState, 4)])
        #expect(speaker.advance(by: .seconds(2)) == [BehaviorChange(.currentMediaState, 0)])
        #expect(speaker.write(.targetMediaState, 1).changes == [BehaviorChange(.currentMediaState, 1)])
        #expect(speaker.perform(.applySensorInput(BehaviorChange(.currentMediaState, 2)))?.count == 2)
        #expect(speaker.write(.targetMediaState, 4).refusals == [.targetMediaState: .invalidValue])
        #expect(speaker.values == [.targetMediaState: 2, .currentMediaState: 2])
    }

    @Test(arguments: [(0, 4, 0), (2, 0, 2), (9, 1, 1), (9, 9, 2)])
    func loadingIsFinishedAfterARestart(target: Int, current: Int, then: Int) {
        var speaker = BehaviorOwner(
            SmartSpeaker(),
            keeping: [.targetMediaState: .integer(target), .currentMediaState: .integer(current)]
        )
        _ = speaker.start()
        #expect(speaker.values == [.targetMediaState: .integer(then), .currentMediaState: .integer(then)])
        #expect(speaker.device.nextDeadline == nil)
    }
}
