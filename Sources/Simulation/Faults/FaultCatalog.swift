internal import AccessoryModel
internal import HAPCore

/// Every fault and every quirk that files and people may name.
///
/// Readers, schema, help and the tables for people follow from it: a further one is one entry.
package enum FaultCatalog {
    /// The entries in the order in which people are told of them.
    package static let definitions = requests + events + connections + announcements + quirks

    /// The entry with this name; `nil` when there is none.
    package static func definition(named name: String) -> FaultDefinition? {
        definitions.first { $0.name == name }
    }

    /// The entry with this name.
    ///
    /// - Throws: ``SimulationError`` with the name that is nearest, or with all of them.
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

    /// What can be put on anything.
    static let allScopes = NameLevel.allCases
}

extension FaultCatalog {
    /// What goes wrong with requests and their answers.
    static let requests: [FaultDefinition] = [
        FaultDefinition(
            "latency",
            "Requests are acted on later: by delay, or, with most, by a time drawn between the two.",
            scopes: allScopes,
            defaults: Latency(),
            parameters: [
                .duration("delay", \.delay, within: .upToAnHour, "How much later, or at least how much."),
                .duration("maximum", \.maximumDelay, "At most how much later, drawn anew for each request."),
                requestKind(\.requests),
            ],
            conflict: conflict
        ) { .latency($0.delay...max($0.delay, $0.maximumDelay ?? $0.delay), $0.requests) },
        FaultDefinition(
            "status",
            "Items of reads and writes get a HAP status; what was to be written is not.",
            scopes: allScopes,
            defaults: Status(),
            parameters: [
                .integer("code", \.code, -70_412 ... -70_402, "The status, from -70402 to -70412."),
                requestKind(\.requests),
            ]
        ) { .status(Int32(exactly: $0.code).flatMap(HAPStatus.init(rawValue:)) ?? .unableToPerform, $0.requests) },
        requestFault("silence", "Requests are never acted on nor answered, and nothing follows on their connection.") {
            .silence($0)
        },
        requestFault("halfResponse", "The first half of an answer leaves, then nothing follows on its connection.") {
            .halfResponse($0)
        },
        requestFault("resetInResponse", "The first half of an answer leaves, then its connection is reset.") {
            .resetInResponse($0)
        },
        FaultDefinition(
            "corruptFrame",
            "An answer leaves in a frame that does not hold what its tag says; once unless told otherwise.",
            scopes: allScopes,
            limit: FaultLimit(count: 1),
            effect: .corruptFrame
        ),
        FaultDefinition(
            "slowPairSetup",
            "Every message of pair-setup is acted on later.",
            defaults: Duration.seconds(4),
            parameters: [.duration("delay", \.self, within: .upToAnHour, "How much later.")]
        ) { .slowPairSetup($0) },
        FaultDefinition(
            "unreachable",
            "A bridge does not reach the device behind it: reads and writes get -70402, and no event comes.",
            scopes: [.accessory],
            effect: .unreachable
        ),
    ]

    private static func conflict(in latency: Latency) -> SimulationError? {
        guard let most = latency.maximumDelay, most < latency.delay else { return nil }
        return SimulationError(
            .invalidValue,
            "The most of latency is less than its delay.",
            "Give both, such as delay 1s and most 2s; without one, delay is 3s."
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
    /// From nothing to an hour: longer than any controller waits.
    static let upToAnHour: ClosedRange<Duration> = .zero ... .seconds(3_600)
}

extension FaultCatalog {
    /// What goes wrong with events.
    static let events: [FaultDefinition] = [
        FaultDefinition(
            "dropEvents",
            "Events are lost.",
            scopes: allScopes,
            effect: .dropEvents
        ),
        FaultDefinition(
            "delayEvents",
            "Events come later.",
            scopes: allScopes,
            defaults: Duration.seconds(3),
            parameters: [.duration("delay", \.self, within: .upToAnHour, "How much later.")]
        ) { .delayEvents($0) },
        FaultDefinition(
            "duplicateEvents",
            "Events come twice.",
            scopes: allScopes,
            effect: .duplicateEvents
        ),
        FaultDefinition(
            "echoEvents",
            "Whoever has written a value gets an event of it, too.",
            scopes: allScopes,
            effect: .echoEvents
        ),
        FaultDefinition(
            "eventsAfterUnsubscribe",
            "Whoever has unsubscribed gets events all the same, until its connection ends.",
            scopes: allScopes,
            effect: .eventsAfterUnsubscribe
        ),
    ]
}
