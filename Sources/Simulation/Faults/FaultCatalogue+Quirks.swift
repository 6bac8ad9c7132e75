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
            occurrence: .lasting,
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
            occurrence: .lasting,
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
            occurrence: .lasting,
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
