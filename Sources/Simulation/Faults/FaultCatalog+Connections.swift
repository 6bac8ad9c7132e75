internal import AccessoryModel

extension FaultCatalog {
    /// What goes wrong with connections, and with the server as a whole.
    static let connections: [FaultDefinition] = [
        FaultDefinition(
            "refuseConnections",
            "New connections are reset; those that stand go on.",
            effect: .refuseConnections
        ),
        FaultDefinition(
            "closeConnections",
            "All connections are closed, once.",
            effect: .closeConnections
        ),
        FaultDefinition(
            "connectionLimit",
            "A connection beyond so many is closed at once.",
            defaults: 8,
            parameters: [.integer("maximum", \.self, 0...256, "How many connections may be open.")]
        ) { .connectionLimit($0) },
        FaultDefinition(
            "networkLoss",
            "The network is gone: connections are refused, or nobody answers; then it comes back.",
            defaults: FaultEffect.NetworkLoss.refuse,
            parameters: [
                .choice("how", \.self, "refuse: connections are reset and refused; silence: nobody answers any more.")
            ]
        ) { .networkLoss($0) },
        FaultDefinition(
            "reboot",
            "The server closes everything, is away, and comes back with a configuration number one higher.",
            defaults: Duration.seconds(5),
            parameters: [.duration("away", \.self, within: .upToAnHour, "How long it is away.")]
        ) { .reboot(away: $0) },
        FaultDefinition(
            "forgetPairings",
            "All pairings are deleted: controllers have to pair again. No other fault deletes anything.",
            effect: .forgetPairings
        ),
    ]

    /// What is announced wrongly.
    static let announcements: [FaultDefinition] = [
        FaultDefinition(
            "configurationNumber",
            "Another configuration number (c#) is announced than the one that holds.",
            defaults: 65_535,
            parameters: [.integer("number", \.self, 0...65_535, "The number; 0 is none that HAP allows.")]
        ) { .configurationNumber(UInt16(clamping: $0)) },
        FaultDefinition(
            "statusFlag",
            "Other status flags (sf) are announced: 1 says that nobody is paired, 0 that somebody is.",
            defaults: 1,
            parameters: [.integer("flags", \.self, 0...255, "The flags; 1: not paired, 2: no Wi-Fi, 4: a problem.")]
        ) { .statusFlag(UInt8(clamping: $0)) },
        FaultDefinition(
            "wrongPort",
            "Another port is announced than the one that is listened on.",
            defaults: 9,
            parameters: [.integer("port", \.self, 1...65_535, "The port.")]
        ) { .wrongPort(UInt16(clamping: $0)) },
        FaultDefinition(
            "vanish",
            "The announcement is withdrawn; who is connected stays so.",
            effect: .vanish
        ),
    ]

    /// What is no fault but a habit of some vendors' devices.
    static let quirks: [FaultDefinition] = [
        FaultDefinition(
            "chunkedBodies",
            "JSON bodies of answers come in chunks instead of with a length.",
            realWorldExample: "Devices built on Apple's HomeKit ADK, which answers /accessories in chunks.",
            effect: .quirk(.chunkedBodies)
        ),
        FaultDefinition(
            "blanksInJSON",
            "JSON comes with blanks and line ends between its tokens.",
            realWorldExample: "Seen in the field: unconfirmed.",
            effect: .quirk(.blanksInJSON)
        ),
        FaultDefinition(
            "oddHeaderCase",
            "Names of headers come in lower and upper case.",
            realWorldExample: "Seen in the field: unconfirmed.",
            effect: .quirk(.oddHeaderCase)
        ),
        FaultDefinition(
            "splitSegments",
            "Messages come in pieces, each in a TCP segment of its own.",
            realWorldExample: "Small devices that write as they compose. Seen in the field: unconfirmed.",
            defaults: 100,
            parameters: [.integer("bytes", \.self, 1...1_400, "How long a piece is at most.")]
        ) { .quirk(.splitSegments(bytes: $0)) },
        FaultDefinition(
            "reversedEvents",
            "The latest change comes first in an event message.",
            realWorldExample: "Devices built on HAP-NodeJS, which reverses the list.",
            effect: .quirk(.reversedEvents)
        ),
        FaultDefinition(
            "coalescing",
            "Changes are collected from the first one on, or not at all, instead of being told once a second at most.",
            realWorldExample:
                "250ms: devices built on HAP-NodeJS. 500ms: on HAP-python. None: seen in the field, unconfirmed.",
            defaults: QuirkProfile.CoalescingInterval.quarterSecond,
            parameters: [.choice("time", \.self, "How long changes are collected.")]
        ) { .quirk(.coalescing($0)) },
        FaultDefinition(
            "echoedEvents",
            "Whoever has written a value gets an event of it, too.",
            realWorldExample: "Seen in the field: unconfirmed.",
            effect: .quirk(.echoedEvents)
        ),
        FaultDefinition(
            "booleansAsWords",
            "Values of the format bool come as true and false instead of 1 and 0.",
            realWorldExample: "An ecobee3, a Hue bridge and a Koogeek LS1, by their dumps.",
            effect: .quirk(.booleansAsWords)
        ),
    ]
}
