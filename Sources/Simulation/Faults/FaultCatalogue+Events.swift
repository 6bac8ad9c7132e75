extension FaultCatalogue {
    /// What goes wrong with events.
    static let events: [FaultDefinition] = [
        FaultDefinition(
            "dropEvents",
            "Events are lost.",
            scopes: everywhere,
            effect: .dropEvents
        ),
        FaultDefinition(
            "delayEvents",
            "Events come later.",
            scopes: everywhere,
            standard: Delay(time: .seconds(3)),
            parameters: [.duration("delay", \.time, within: .upToAnHour, "How much later.")]
        ) { .delayEvents($0.time) },
        FaultDefinition(
            "duplicateEvents",
            "Events come twice.",
            scopes: everywhere,
            effect: .duplicateEvents
        ),
        FaultDefinition(
            "echoEvents",
            "Whoever has written a value gets an event of it, too.",
            scopes: everywhere,
            effect: .echoEvents
        ),
        FaultDefinition(
            "eventsAfterUnsubscribe",
            "Whoever has unsubscribed gets events all the same, until its connection ends.",
            scopes: everywhere,
            effect: .eventsAfterUnsubscribe
        ),
    ]
}
