internal import AccessoryModel

extension FaultCatalog {
    /// The faults of connections, and of the server as a whole.
    static let connections: [FaultDefinition] = [
        FaultDefinition(
            "refuseConnections",
            "New connections are reset; existing ones continue.",
            effect: .refuseConnections
        ),
        FaultDefinition(
            "closeConnections",
            "All connections are closed, once.",
            effect: .closeConnections
        ),
        FaultDefinition(
            "connectionLimit",
            "A connection that exceeds the maximum is closed at once.",
            defaults: 8,
            parameters: [.integer("maximum", \.self, 0...256, "The largest number of open connections.")]
        ) { .connectionLimit($0) },
        FaultDefinition(
            "networkLoss",
            "The network is lost: connections are refused, or the server does not respond.",
            defaults: FaultEffect.NetworkLoss.refuse,
            parameters: [
                .choice("how", \.self, "refuse: connections are reset and refused; silence: no response is sent.")
            ]
        ) { .networkLoss($0) },
        FaultDefinition(
            "reboot",
            "The server closes everything, is away, and returns with the next configuration number.",
            defaults: Duration.seconds(5),
            parameters: [.duration("away", \.self, within: .upToAnHour, "How long the server is away.")]
        ) { .reboot(away: $0) },
        FaultDefinition(
            "forgetPairings",
            "All pairings are deleted: controllers have to pair again. No other fault deletes anything.",
            effect: .forgetPairings
        ),
    ]

    /// The faults of the announcement.
    static let announcements: [FaultDefinition] = [
        FaultDefinition(
            "configurationNumber",
            "A wrong configuration number (c#) is announced.",
            defaults: 65_535,
            parameters: [.integer("number", \.self, 0...65_535, "The number; HAP does not allow 0.")]
        ) { .configurationNumber(UInt16(clamping: $0)) },
        FaultDefinition(
            "statusFlag",
            "Wrong status flags (sf) are announced: 1 means not paired, 0 means paired.",
            defaults: 1,
            parameters: [.integer("flags", \.self, 0...255, "The flags; 1: not paired, 2: no Wi-Fi, 4: a problem.")]
        ) { .statusFlag(UInt8(clamping: $0)) },
        FaultDefinition(
            "wrongPort",
            "A port on which the server does not listen is announced.",
            defaults: 9,
            parameters: [.integer("port", \.self, 1...65_535, "The port.")]
        ) { .wrongPort(UInt16(clamping: $0)) },
        FaultDefinition(
            "vanish",
            "The announcement is withdrawn; existing connections continue.",
            effect: .vanish
        ),
    ]
}
