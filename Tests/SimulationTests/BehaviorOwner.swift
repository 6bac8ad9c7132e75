import AccessoryModel
import HAPCore
import Testing

/// Owns the characteristics of a behavior as a server does, with its own clock, and checks the rules of the port.
struct BehaviorOwner<Device: Behavior> {
    private(set) var device: Device
    private(set) var values: [CharacteristicType: CharacteristicValue]
    private(set) var now = MonotonicInstant.zero

    init(_ device: Device, keeping values: [CharacteristicType: CharacteristicValue] = [:]) {
        self.device = device
        self.values = values
    }

    mutating func start() -> [BehaviorChange] {
        apply(device.start(with: values, at: now))
    }

    /// Advances time without calling the behavior, as if a timer were late.
    mutating func sleep(_ duration: Duration) {
        now = now.advanced(by: duration)
    }

    mutating func advance(by duration: Duration = .zero) -> [BehaviorChange] {
        sleep(duration)
        return apply(device.advance(to: now))
    }

    /// Writes values as one request; returns the refused items and the other changes.
    mutating func write(_ writes: [BehaviorChange]) -> BehaviorResponse {
        let response = device.write(writes, at: now)
        for write in writes where response.refusals[write.type] == nil {
            values[write.type] = write.value
        }
        #expect(response.refusals.keys.allSatisfy { type in writes.contains { $0.type == type } })
        _ = apply(response.changes)
        return response
    }

    mutating func write(_ type: CharacteristicType, _ value: CharacteristicValue) -> BehaviorResponse {
        write([BehaviorChange(type, value)])
    }

    mutating func perform(_ command: BehaviorCommand) -> [BehaviorChange]? {
        device.perform(command, at: now).map { apply($0) }
    }

    mutating func observe(_ changes: [BehaviorChange], of service: ServiceKey) -> [BehaviorChange] {
        #expect(device.observedServices.contains(service.type))
        return apply(device.observe(changes, of: service, at: now))
    }

    func reading(_ name: String, in duration: Duration = .zero) -> Double? {
        device.readings(at: now.advanced(by: duration)).first { $0.name == name }?.number
    }

    private mutating func apply(_ changes: [BehaviorChange]) -> [BehaviorChange] {
        #expect(Set(changes.map(\.type)).count == changes.count, "each characteristic once: \(changes)")
        // A press of a button counts even if it repeats the previous one, and is not stored.
        for change in changes where change.type != .programmableSwitchEvent {
            #expect(values[change.type] != change.value, "\(change.type) is already \(change.value)")
            values[change.type] = change.value
        }
        if let deadline = device.nextDeadline {
            #expect(deadline > now, "what is due has happened")
        }
        return changes
    }
}

extension BehaviorOwner where Device: ConnectedBehavior {
    /// Passes on what a peer does.
    @discardableResult
    mutating func receive(_ event: PeerEvent) -> [BehaviorChange] {
        apply(device.receive(event, at: now))
    }

    mutating func takeEffects() -> [DeviceEffect] { device.takeEffects() }
}
