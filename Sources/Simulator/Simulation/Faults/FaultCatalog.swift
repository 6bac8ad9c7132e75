internal import AccessoryModel
internal import HAPCore

/// The faults and quirks that files and users may name.
///
/// Readers, the schema, help and the generated tables are derived from it. To add a fault, add one entry.
package enum FaultCatalog {
    /// The entries by what they concern, in the order in which they are documented.
    package static let groups: [(name: String, definitions: [FaultDefinition])] = [
        ("Requests", requests), ("Events", events), ("Connections", connections), ("Announcements", announcements),
        ("Quirks of devices", quirks),
    ]

    /// All entries, also those of drivers.
    package static var definitions: [FaultDefinition] {
        common + DriverCatalog.definitions.flatMap(\.faults).map { FaultDefinition($0) }
    }

    private static let common = groups.flatMap(\.definitions)

    /// Returns the entry with this name; `nil` if there is none.
    package static func definition(named name: String) -> FaultDefinition? {
        definitions.first { $0.name == name }
    }

    /// Returns the entry with this name.
    ///
    /// - Throws: ``SimulationError`` with the most similar name, or with all names.
    package static func lookup(_ name: String) throws(SimulationError) -> FaultDefinition {
        if let definition = definition(named: name) { return definition }
        let names = definitions.map(\.name)
        let near = SpellingSuggester.nearest(to: name, among: names)
        throw SimulationError(
            .unknownName,
            name.isEmpty
                ? "No fault is named." : "There is no fault \"\(String(name.prefix(100)).escapingControlCharacters)\".",
            near.map { "Did you mean \"\($0)\"?" } ?? "There are: \(names.joined(separator: ", "))."
        )
    }

    /// The scopes of a fault that can affect any object.
    static let allScopes = NameLevel.allCases
}

extension FaultCatalog {
    /// The faults of requests and their responses.
    static let requests: [FaultDefinition] = [
        FaultDefinition(
            "latency",
            "Requests are handled after a delay, or after a random time from delay to maximum.",
            scopes: allScopes,
            defaults: Latency(),
            parameters: [
                .duration("delay", \.delay, within: .upToAnHour, "The delay; if maximum is set, the shortest delay."),
                .duration("maximum", \.maximumDelay, "The longest delay; each request has a random one."),
                requestKind(\.requests),
            ],
            conflict: conflict
        ) { .latency($0.delay...max($0.delay, $0.maximumDelay ?? $0.delay), $0.requests) },
        FaultDefinition(
            "status",
            "Items of reads and writes fail with a HAP status; such writes are not applied.",
            scopes: allScopes,
            defaults: Status(),
            parameters: [
                .integer("code", \.code, -70_412 ... -70_402, "The status, from -70402 to -70412."),
                requestKind(\.requests),
            ]
        ) { .status(Int32(exactly: $0.code).flatMap(HAPStatus.init(rawValue:)) ?? .unableToPerform, $0.requests) },
        requestFault(
            "silence",
            "Requests are neither handled nor answered, and nothing else is sent on their connection."
        ) { .silence($0) },
        requestFault("halfResponse", "The first half of a response is sent, and nothing else on its connection.") {
            .halfResponse($0)
        },
        requestFault("resetInResponse", "The first half of a response is sent, then its connection is reset.") {
            .resetInResponse($0)
        },
        FaultDefinition(
            "corruptFrame",
            "A response is sent in a frame that the controller cannot decrypt; once by default.",
            scopes: allScopes,
            limit: FaultLimit(count: 1),
            effect: .corruptFrame
        ),
        FaultDefinition(
            "slowPairSetup",
            "Every message of pair-setup is handled after a delay.",
            defaults: Duration.seconds(4),
            parameters: [.duration("delay", \.self, within: .upToAnHour, "The delay.")]
        ) { .slowPairSetup($0) },
        FaultDefinition(
            "unreachable",
            "A bridge does not reach one of its devices: reads and writes get -70402, and no events are sent.",
            scopes: [.accessory],
            effect: .unreachable
        ),
    ]

    private static func conflict(in latency: Latency) -> SimulationError? {
        guard let most = latency.maximumDelay, most < latency.delay else { return nil }
        return SimulationError(
            .invalidValue,
            "The maximum of latency is less than its delay.",
            "Give both, such as delay=1s and maximum=2s; the default delay is 3s."
        )
    }

    private static func requestFault(
        _ name: String,
        _ summary: String,
        effect: @escaping @Sendable (FaultEffect.RequestKind) -> FaultEffect
    ) -> FaultDefinition {
        FaultDefinition(
            name,
            summary,
            scopes: allScopes,
            defaults: FaultEffect.RequestKind.any,
            parameters: [requestKind(\.self)],
            effect: effect
        )
    }

    private static func requestKind<Configuration>(
        _ place: any WritableKeyPath<Configuration, FaultEffect.RequestKind> & Sendable
    ) -> ModelParameter<Configuration> {
        .choice("requests", place, "Which requests: reads of characteristics, writes to them, or any.")
    }

    private struct Latency {
        var delay = Duration.seconds(3)
        var maximumDelay: Duration?
        var requests = FaultEffect.RequestKind.any
    }

    private struct Status {
        var code = Int(HAPStatus.unableToPerform.rawValue)
        var requests = FaultEffect.RequestKind.any
    }
}

extension ClosedRange<Duration> {
    /// The durations from zero to one hour, which is longer than any controller waits.
    static let upToAnHour: ClosedRange<Duration> = .zero ... .seconds(3_600)
}

extension FaultCatalog {
    /// The faults of events.
    static let events: [FaultDefinition] = [
        FaultDefinition(
            "dropEvents",
            "Events are lost.",
            scopes: allScopes,
            effect: .dropEvents
        ),
        FaultDefinition(
            "delayEvents",
            "Events are sent after a delay.",
            scopes: allScopes,
            defaults: Duration.seconds(3),
            parameters: [.duration("delay", \.self, within: .upToAnHour, "The delay.")]
        ) { .delayEvents($0) },
        FaultDefinition(
            "duplicateEvents",
            "Events are sent twice.",
            scopes: allScopes,
            effect: .duplicateEvents
        ),
        FaultDefinition(
            "echoEvents",
            "The controller that wrote a value receives an event for it, too.",
            scopes: allScopes,
            effect: .echoEvents
        ),
        FaultDefinition(
            "eventsAfterUnsubscribe",
            "A controller that has unsubscribed still receives events, until its connection ends.",
            scopes: allScopes,
            effect: .eventsAfterUnsubscribe
        ),
    ]
}
