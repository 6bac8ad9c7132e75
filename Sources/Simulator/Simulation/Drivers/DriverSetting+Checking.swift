internal import AccessoryModel
internal import Documents
internal import HAPCore

extension DriverSetting {
    /// The events that every driver has.
    package static let standardEvents = [
        DriverFeature(.event, "started", "The driver begins to run."),
        DriverFeature(.event, "ended", "The driver has ended, and is started again.", fields: ["reason", "restart"]),
        DriverFeature(.event, "reachable", "The device can be reached."),
        DriverFeature(.event, "unreachable", "The device can no longer be reached."),
        DriverFeature(.event, "listening", "The driver listens on an address.", fields: ["address"]),
        DriverFeature(.event, "announced", "A service is on the network.", fields: ["service", "name"]),
        DriverFeature(.event, "unannounced", "A service is not on the network.", fields: ["service", "reason"]),
    ]

    /// The features of a kind.
    package func features(_ kind: DriverFeature.Kind) -> [DriverFeature] {
        switch kind {
        case .event: features.filter { $0.kind == kind } + Self.standardEvents
        case .action: features.filter { $0.kind == kind }
        case .fault: definition?.faults ?? []
        }
    }

    /// Checks that the driver has an event or an action, with these details or arguments.
    ///
    /// - Parameter owner: The name of the accessory, for messages.
    /// - Throws: ``SimulationError`` with the names that it has.
    func check(
        _ kind: DriverFeature.Kind,
        _ name: String,
        _ fields: some Collection<String>,
        of owner: String
    ) throws(SimulationError) {
        let known = features(kind)
        let owner = owner.escapingControlCharacters
        guard let feature = known.first(where: { $0.name == name }) else {
            let names = known.map(\.name)
            let near = SpellingSuggester.nearest(to: name, among: names)
            throw SimulationError(
                .unknownName,
                "The driver of \(owner) has no \(kind.rawValue) \"\(String(name.prefix(100)).escapingControlCharacters)\".",
                near.map { "Did you mean \"\($0)\"?" }
                    ?? (names.isEmpty ? "It has none." : "It has: \(names.joined(separator: ", ")).")
            )
        }
        guard let allowed = feature.fields, let wrong = fields.first(where: { !allowed.contains($0) }) else { return }
        throw SimulationError(
            .unknownName,
            "The \(kind.rawValue) \(name) of \(owner) has no \"\(String(wrong.prefix(100)).escapingControlCharacters)\".",
            allowed.isEmpty ? "It has nothing to name." : "It has: \(allowed.joined(separator: ", "))."
        )
    }
}

/// The text of an event of a driver, such as `LOAD, contentType: video/mp4`.
package enum DriverEventText {
    package static func text(_ name: String, _ details: [String: String]) -> String {
        ([name] + details.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }).joined(separator: ", ")
    }
}
