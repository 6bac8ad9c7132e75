import AccessoryModel
import HAPCore
import Testing

/// Keeps a behavior's characteristics as a server does, on a clock of its own, and holds it to the port's rules.
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

    /// Lets time pass without a call, as when a timer is late.
    mutating func sleep(_ duration: Duration) {
        now = now.advanced(by: duration)
    }

    mutating func advance(by duration: Duration = .zero) -> [BehaviorChange] {
        sleep(duration)
        return apply(device.advance(to: now))
    }

    /// Writes as one request; returns what is refused and what changes besides.
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
        device.readings(at: now.advanced(by: duration)).first { $0.name == name }?.value
    }

    private mutating func apply(_ changes: [BehaviorChange]) -> [BehaviorChange] {
        #expect(Set(changes.map(\.type)).count == changes.count, "each characteristic once: \(changes)")
        // A button's press counts also when it repeats the one before, and is never kept.
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
