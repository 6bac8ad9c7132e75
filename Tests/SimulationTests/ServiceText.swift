import AccessoryModel
import HAPCore

extension [BehaviorChange] {
    /// The changes as text: names of the catalog with their values, in order.
    var reported: String {
        map { "\(Catalog.characteristic($0.type)?.id ?? $0.type.uuid.shortened) \($0.value)" }
            .joined(separator: ", ")
    }
}

extension BehaviorOwner where Device: Behavior {
    /// Advances time from deadline to deadline, like a punctual owner; returns the changes with their seconds.
    mutating func live(for duration: Duration) -> [String] {
        let end = now.advanced(by: duration)
        var reported: [String] = []
        while let deadline = device.nextDeadline, deadline <= end {
            let changes = advance(by: now.duration(to: deadline))
            if !changes.isEmpty {
                reported.append("\(Double(now.nanoseconds / 1_000_000) / 1_000): \(changes.reported)")
            }
        }
        _ = advance(by: now.duration(to: end))
        return reported
    }
}
