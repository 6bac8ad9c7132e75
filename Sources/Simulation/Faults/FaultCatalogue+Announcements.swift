extension FaultCatalogue {
    /// What is announced wrongly.
    static let announcements: [FaultDefinition] = [
        FaultDefinition(
            "configurationNumber",
            "Another configuration number (c#) is announced than the one that holds.",
            scopes: [.server],
            occurrence: .lasting,
            standard: Number(value: 65_535),
            parameters: [.integer("number", \.value, 0...65_535, "The number; 0 is none that HAP allows.")]
        ) { .configurationNumber(UInt16(clamping: $0.value)) },
        FaultDefinition(
            "statusFlag",
            "Other status flags (sf) are announced: 1 says that nobody is paired, 0 that somebody is.",
            scopes: [.server],
            occurrence: .lasting,
            standard: Number(value: 1),
            parameters: [.integer("flags", \.value, 0...255, "The flags; 1: not paired, 2: no Wi-Fi, 4: a problem.")]
        ) { .statusFlag(UInt8(clamping: $0.value)) },
        FaultDefinition(
            "wrongPort",
            "Another port is announced than the one that is listened on.",
            scopes: [.server],
            occurrence: .lasting,
            standard: Number(value: 9),
            parameters: [.integer("port", \.value, 1...65_535, "The port.")]
        ) { .wrongPort(UInt16(clamping: $0.value)) },
        FaultDefinition(
            "vanish",
            "The announcement is withdrawn; who is connected stays so.",
            scopes: [.server],
            occurrence: .lasting,
            effect: .vanish
        ),
    ]

    private struct Number {
        var value: Int
    }
}
