internal import AccessoryModel

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
            standard: Loss(),
            parameters: [
                .choice("how", \.how, "refuse: connections are reset and refused; silence: nobody answers any more.")
            ]
        ) { .networkLoss($0.how) },
        FaultDefinition(
            "reboot",
            "The server closes everything, is away, and comes back with a configuration number one higher.",
            scopes: [.server],
            standard: Delay(time: .seconds(5)),
            parameters: [.duration("away", \.time, within: .upToAnHour, "How long it is away.")]
        ) { .reboot(away: $0.time) },
        FaultDefinition(
            "forgetPairings",
            "All pairings are deleted: controllers have to pair again. No other fault deletes anything.",
            scopes: [.server],
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

extension FaultCatalogue {
    /// What is announced wrongly.
    static let announcements: [FaultDefinition] = [
        FaultDefinition(
            "configurationNumber",
            "Another configuration number (c#) is announced than the one that holds.",
            scopes: [.server],
            standard: Number(value: 65_535),
            parameters: [.integer("number", \.value, 0...65_535, "The number; 0 is none that HAP allows.")]
        ) { .configurationNumber(UInt16(clamping: $0.value)) },
        FaultDefinition(
            "statusFlag",
            "Other status flags (sf) are announced: 1 says that nobody is paired, 0 that somebody is.",
            scopes: [.server],
            standard: Number(value: 1),
            parameters: [.integer("flags", \.value, 0...255, "The flags; 1: not paired, 2: no Wi-Fi, 4: a problem.")]
        ) { .statusFlag(UInt8(clamping: $0.value)) },
        FaultDefinition(
            "wrongPort",
            "Another port is announced than the one that is listened on.",
            scopes: [.server],
            standard: Number(value: 9),
            parameters: [.integer("port", \.value, 1...65_535, "The port.")]
        ) { .wrongPort(UInt16(clamping: $0.value)) },
        FaultDefinition(
            "vanish",
            "The announcement is withdrawn; who is connected stays so.",
            scopes: [.server],
            effect: .vanish
        ),
    ]

    private struct Number {
        var value: Int
    }
}

extension FaultCatalogue {
    /// What is no fault but a habit of some vendors' devices.
    static let quirks: [FaultDefinition] = [
        quirk(
            "chunkedBodies",
            "JSON bodies of answers come in chunks instead of with a length.",
            like: "Devices built on Apple's HomeKit ADK, which answers /accessories in chunks.",
            .chunkedBodies
        ),
        quirk(
            "blanksInJSON",
            "JSON comes with blanks and line ends between its tokens.",
            like: "Seen in the field: unconfirmed.",
            .blanksInJSON
        ),
        quirk(
            "oddHeaderCase",
            "Names of headers come in lower and upper case.",
            like: "Seen in the field: unconfirmed.",
            .oddHeaderCase
        ),
        FaultDefinition(
            "splitSegments",
            "Messages come in pieces, each in a TCP segment of its own.",
            resemblance: "Small devices that write as they compose. Seen in the field: unconfirmed.",
            scopes: [.server],
            standard: Pieces(),
            parameters: [.integer("bytes", \.bytes, 1...1_400, "How long a piece is at most.")]
        ) { .quirk(.splitSegments(bytes: $0.bytes)) },
        quirk(
            "reversedEvents",
            "The latest change comes first in an event message.",
            like: "Devices built on HAP-NodeJS, which reverses the list.",
            .reversedEvents
        ),
        FaultDefinition(
            "coalescing",
            "Changes are collected from the first one on, or not at all, instead of being told once a second at most.",
            resemblance:
                "250ms: devices built on HAP-NodeJS. 500ms: on HAP-python. None: seen in the field, unconfirmed.",
            scopes: [.server],
            standard: Collecting(),
            parameters: [.choice("time", \.time, "How long changes are collected.")]
        ) { .quirk(.coalescing($0.time)) },
        quirk(
            "echoedEvents",
            "Whoever has written a value gets an event of it, too.",
            like: "Seen in the field: unconfirmed.",
            .echoedEvents
        ),
        quirk(
            "booleansAsWords",
            "Values of the format bool come as true and false instead of 1 and 0.",
            like: "An ecobee3, a Hue bridge and a Koogeek LS1, by their dumps.",
            .booleansAsWords
        ),
    ]

    private static func quirk(
        _ name: String,
        _ summary: String,
        like resemblance: String,
        _ profile: QuirkProfile
    ) -> FaultDefinition {
        FaultDefinition(
            name,
            summary,
            resemblance: resemblance,
            scopes: [.server],
            effect: .quirk(profile)
        )
    }

    private struct Pieces {
        var bytes = 100
    }

    private struct Collecting {
        var time = QuirkProfile.EventCollection.quarterSecond
    }
}
