import AccessoryModel
import HAPCore

extension [BehaviorChange] {
    /// Changes as people write them: names of the catalogue with their values, in order.
    var told: String {
        map { "\(Catalogue.characteristic($0.type)?.id ?? $0.type.uuid.shortened) \($0.value)" }
            .joined(separator: ", ")
    }
}

extension BehaviorOwner where Device: Behavior {
    /// Lets time pass from deadline to deadline, as a punctual owner does; returns what changes, with the seconds.
    mutating func live(for duration: Duration) -> [String] {
        let end = now.advanced(by: duration)
        var told: [String] = []
        while let deadline = device.nextDeadline, deadline <= end {
            let changes = advance(by: now.duration(to: deadline))
            if !changes.isEmpty {
                told.append("\(Double(now.nanoseconds / 1_000_000) / 1_000): \(changes.told)")
            }
        }
        _ = advance(by: now.duration(to: end))
        return told
    }
}
