extension FaultCatalogue {
    /// What goes wrong with connections, and with the server as a whole.
    static let connections: [FaultDefinition] = [
        FaultDefinition(
            "refuseConnections",
            "New connections are reset; those that stand go on.",
            scopes: [.server],
            effect: .refuseConnections
        ),
        FaultDefinition(
            "closeConnections",
            "All connections are closed, once.",
            scopes: [.server],
            occurrence: .momentary,
            effect: .closeConnections
        ),
        FaultDefinition(
            "connectionLimit",
            "A connection beyond so many is closed at once.",
            scopes: [.server],
            standard: Room(),
            parameters: [.integer("most", \.most, 0...256, "How many connections may be open.")]
        ) { .connectionLimit($0.most) },
        FaultDefinition(
            "networkLoss",
            "The network is gone: connections are refused, or nobody answers; then it comes back.",
            scopes: [.server],
            occurrence: .lasting,
            standard: Loss(),
            parameters: [
                .choice("how", \.how, "refuse: connections are reset and refused; silence: nobody answers any more.")
            ]
        ) { .networkLoss($0.how) },
        FaultDefinition(
            "reboot",
            "The server closes everything, is away, and comes back with a configuration number one higher.",
            scopes: [.server],
            occurrence: .momentary,
            standard: Delay(time: .seconds(5)),
            parameters: [.duration("away", \.time, within: .upToAnHour, "How long it is away.")]
        ) { .reboot(away: $0.time) },
        FaultDefinition(
            "forgetPairings",
            "All pairings are deleted: controllers have to pair again. No other fault deletes anything.",
            scopes: [.server],
            occurrence: .momentary,
            effect: .forgetPairings
        ),
    ]

    private struct Room {
        var most = 8
    }

    private struct Loss {
        var how = FaultEffect.NetworkLoss.refuse
    }
}
