import AccessoryModel
import AirPlay
import HAPCore
import TestSupport
import Testing

@testable import Simulation

/// A television or a speaker with an AirPlay receiver, on a clock that a test moves.
final class AirPlayStage {
    static let sender = PeerID(1)

    var owner: BehaviorOwner<AirPlayBehavior>
    /// The values of the service Speaker of a television.
    private(set) var speaker: [CharacteristicType: CharacteristicValue]
    /// What was sent to peers, and what was reported, since the last call of ``take()``.
    private var messages: [PeerMessage] = []
    private var events: [DriverEvent] = []
    private var lastAction: UInt64 = 0

    private init(
        _ owner: BehaviorOwner<AirPlayBehavior>,
        speaker: [CharacteristicType: CharacteristicValue] = [:]
    ) {
        (self.owner, self.speaker) = (owner, speaker)
        start()
        _ = take()
    }

    /// Starts the device as a server does: what it does to others follows when it knows the other services.
    private func start() {
        _ = owner.start()
        if !speaker.isEmpty {
            for (number, name, type) in [(1, "Antenna", 2), (2, "Player", 3), (3, "Console", 3), (4, "AirPlay", 8)] {
                let changes = [
                    BehaviorChange(.identifier, .integer(number)), BehaviorChange(.configuredName, .string(name)),
                    BehaviorChange(.inputSourceType, .integer(type)), BehaviorChange(.isConfigured, 1),
                ]
                _ = owner.observe(changes, of: ServiceKey(.inputSource, subtype: name))
            }
            _ = owner.observe(speaker.map { BehaviorChange($0.key, $0.value) }, of: ServiceKey(.speaker))
        }
        perform()
    }

    /// A television with a tuner, two HDMI inputs and one for AirPlay, whose identifiers are 1 to 4.
    static func television(
        isOn: Bool = true,
        input: Int = 1,
        volume: Int = 40,
        _ change: (inout AirPlayParameters) -> Void = { _ in }
    ) -> AirPlayStage {
        AirPlayStage(
            BehaviorOwner(
                device(.television, change),
                keeping: [
                    .active: .integer(isOn ? 1 : 0), .activeIdentifier: .integer(input), .remoteKey: 15,
                    .currentMediaState: 2, .targetMediaState: 2,
                ]
            ),
            speaker: [.volume: .integer(volume), .mute: false]
        )
    }

    private static func device(
        _ type: ServiceType,
        _ change: (inout AirPlayParameters) -> Void
    ) -> AirPlayBehavior {
        var parameters = AirPlayParameters()
        change(&parameters)
        return type == .television
            ? AirPlayBehavior(parameters, type, Television(.init(bootDuration: .zero, buffering: .zero)))
            : AirPlayBehavior(parameters, type, SmartSpeaker(.init(buffering: .zero)))
    }

    /// A speaker of its own.
    static func speaker(
        _ values: [CharacteristicType: CharacteristicValue] = [:],
        _ change: (inout AirPlayParameters) -> Void = { _ in }
    ) -> AirPlayStage {
        let usual: [CharacteristicType: CharacteristicValue] = [
            .currentMediaState: 2, .targetMediaState: 2, .airPlayEnable: 1, .volume: 40, .mute: false,
        ]
        return AirPlayStage(
            BehaviorOwner(device(.smartSpeaker, change), keeping: usual.merging(values) { $1 })
        )
    }

    // MARK: Senders

    func send(_ message: SenderMessage, from peer: PeerID = sender) {
        owner.receive(.message(AirPlayDelivery(message), from: peer))
        perform()
    }

    /// Begins a session with audio that is played.
    func play(_ peer: PeerID = sender) {
        send(.begin(SenderDescription(name: "Phone", version: 2)), from: peer)
        send(.play, from: peer)
    }

    /// Does what a user, a scenario or the page asks of the driver.
    ///
    /// - Throws: The error of the device.
    @discardableResult
    func act(_ name: String, _ arguments: [String: String] = [:]) throws -> String {
        lastAction += 1
        let request = DeviceActionRequest(number: lastAction, DriverAction(name, arguments))
        owner.receive(.message(request, from: .driver))
        perform()
        let result = messages.compactMap { $0.content as? DeviceActionResult }.last { $0.number == lastAction }
        return try #require(result).result.get()
    }

    // MARK: HomeKit

    @discardableResult
    func write(_ type: CharacteristicType, _ value: CharacteristicValue) -> BehaviorResponse {
        defer { perform() }
        return owner.write(type, value)
    }

    /// Changes a value as a user at the device does; returns whether it can be changed.
    @discardableResult
    func operate(_ type: CharacteristicType, _ value: CharacteristicValue) -> Bool {
        defer { perform() }
        return owner.perform(.applySensorInput(BehaviorChange(type, value))) != nil
    }

    func plug(_ name: String, _ isPluggedIn: Bool) {
        observe([BehaviorChange(.isConfigured, isPluggedIn ? 1 : 0)], of: ServiceKey(.inputSource, subtype: name))
    }

    func setSpeaker(_ type: CharacteristicType, _ value: CharacteristicValue) {
        guard speaker[type] != value else { return }
        speaker[type] = value
        observe([BehaviorChange(type, value)], of: ServiceKey(.speaker))
    }

    func advance(_ seconds: Double) {
        _ = owner.advance(by: .seconds(seconds))
        perform()
    }

    private func observe(_ changes: [BehaviorChange], of service: ServiceKey) {
        _ = owner.observe(changes, of: service)
        perform()
    }

    /// Replaces the device, as a reload of the file does.
    func reload(_ change: (inout AirPlayParameters) -> Void = { _ in }) {
        var device = Self.device(speaker.isEmpty ? .smartSpeaker : .television, change)
        device.adopt(owner.device)
        owner = BehaviorOwner(device, keeping: owner.values)
        start()
    }

    /// Performs what the device does to others; what follows from that may be more of it.
    private func perform() {
        for _ in 0..<8 {
            let effects = owner.takeEffects()
            guard !effects.isEmpty else { return }
            for effect in effects {
                switch effect {
                case .send(let message): messages.append(message)
                case .report(let event): events.append(event)
                case .operate(let type, let change):
                    #expect(type == .speaker)
                    guard speaker[change.type] != change.value else { continue }
                    speaker[change.type] = change.value
                    _ = owner.observe([change], of: ServiceKey(.speaker))
                }
            }
        }
        Issue.record("the device and its speaker change each other without end")
    }

    // MARK: State

    subscript(type: CharacteristicType) -> Int? { owner.values[type]?.coercedInteger }
    /// Current Media State and Target Media State.
    var states: [Int?] { [self[.currentMediaState], self[.targetMediaState]] }
    var volume: Int { owner.device.device.volume.percent }
    var isMuted: Bool { owner.device.device.volume.isMuted }

    func reading(_ name: String) -> DeviceReading.Value? {
        owner.device.readings(at: owner.now).first { $0.name == name }?.value
    }

    /// Returns what the sender was sent, and the names of the events, since the last call.
    func take(_ peer: PeerID = sender) -> (messages: [ReceiverMessage], events: [String]) {
        defer { (messages, events) = ([], []) }
        return (
            messages.filter { $0.peer == peer }.compactMap { $0.content as? ReceiverMessage }, events.map(\.name)
        )
    }

    /// The commands that the sender was sent since the last call of ``take(_:)``.
    var commands: [RemoteCommand] {
        messages.filter { $0.peer == Self.sender }
            .compactMap { message in
                if case .command(let command)? = message.content as? ReceiverMessage { command } else { nil }
            }
    }

    /// The last summary that the driver was sent since the last call of ``take(_:)``.
    var summary: AirPlaySummary? {
        messages.filter { $0.peer == .driver }.compactMap { $0.content as? AirPlaySummary }.last
    }
}
