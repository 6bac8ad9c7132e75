internal import AccessoryModel

/// What automations have set lately, so that what comes of it is known to come of them.
///
/// A value comes of a run when the run set it; a value that cannot be set, such as where a door is, when the run set
/// something of its service. Whatever else is seen there meanwhile was somebody else. It remembers two minutes, in which
/// doors and blinds arrive.
struct CauseTracker: Sendable {
    /// Automations that set each other off, the first one first.
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

    /// Remembers what a chain's last automation sets.
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

    /// What a new value comes of; an empty chain when of no automation.
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
        // It has arrived: what it does next, it does by itself.
        if expected.values.contains(where: value.isEquivalent) {
            expectedByService[selector.service] = nil
        }
        return expected.chain
    }
}
