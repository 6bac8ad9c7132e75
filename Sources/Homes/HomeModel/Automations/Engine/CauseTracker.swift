internal import AccessoryModel

/// The values that automations have recently written, so that their consequences can be attributed to them.
///
/// A value that can be written is attributed to a run if the run wrote exactly this value. A read-only value, such as
/// the position of a door, is attributed to a run if the run wrote to the same service. All other values have another
/// cause. A write is remembered for two minutes, which is enough for doors and blinds to arrive.
struct CauseTracker: Sendable {
    /// Automations that triggered each other, the first one first.
    typealias Chain = [ObjectID<Automation>]

    private struct ExpectedValues: Sendable {
        let chain: Chain
        var values: [CharacteristicValue]
        let until: WallInstant
    }

    private static let retention = Duration.seconds(120)
    private static let pruningThreshold = 256

    private var expectedByCharacteristic: [CharacteristicSelector: ExpectedValues] = [:]
    private var expectedByService: [ObjectID<HomeService>: ExpectedValues] = [:]

    /// Records the writes of the last automation in a chain.
    mutating func record(_ actions: [HomeAction], of chain: Chain, at now: WallInstant) {
        if expectedByCharacteristic.count + expectedByService.count > Self.pruningThreshold {
            expectedByCharacteristic = expectedByCharacteristic.filter { $0.value.until > now }
            expectedByService = expectedByService.filter { $0.value.until > now }
        }
        let until = now.advanced(by: Self.retention)
        for action in actions {
            let selector = action.characteristic
            expectedByCharacteristic[selector] = ExpectedValues(chain: chain, values: [action.value], until: until)
            var values = [action.value]
            if let other = expectedByService[selector.service], other.chain == chain, other.until == until {
                values += other.values
            }
            expectedByService[selector.service] = ExpectedValues(chain: chain, values: values, until: until)
        }
    }

    /// Returns the chain that caused a new value, or an empty chain if no automation caused it.
    mutating func chain(
        for selector: CharacteristicSelector,
        _ value: CharacteristicValue,
        canBeSet: Bool,
        at now: WallInstant
    ) -> Chain {
        if canBeSet {
            guard let expected = expectedByCharacteristic.removeValue(forKey: selector), expected.until > now,
                expected.values.contains(where: value.isEquivalent)
            else { return [] }
            return expected.chain
        }
        guard let expected = expectedByService[selector.service], expected.until > now else { return [] }
        // The device has reached its target, so its next change has another cause.
        if expected.values.contains(where: value.isEquivalent) {
            expectedByService[selector.service] = nil
        }
        return expected.chain
    }
}
