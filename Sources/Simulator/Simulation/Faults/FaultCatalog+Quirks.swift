internal import AccessoryModel

extension FaultCatalog {
    /// The quirks: habits of some vendors' devices that are not faults.
    static let quirks: [FaultDefinition] = [
        FaultDefinition(
            "chunkedBodies",
            "JSON bodies of responses are sent in chunks instead of with a length.",
            realWorldExample: "Devices built on Apple's HomeKit ADK, which answers /accessories in chunks.",
            effect: .quirk(.chunkedBodies)
        ),
        FaultDefinition(
            "blanksInJSON",
            "JSON has spaces and line ends between its tokens.",
            realWorldExample: "Reported by users of real devices; not confirmed.",
            effect: .quirk(.blanksInJSON)
        ),
        FaultDefinition(
            "oddHeaderCase",
            "Header names are written in lower and upper case.",
            realWorldExample: "Reported by users of real devices; not confirmed.",
            effect: .quirk(.oddHeaderCase)
        ),
        FaultDefinition(
            "splitSegments",
            "Messages are sent in pieces, each in a separate TCP segment.",
            realWorldExample:
                "Small devices that send messages while composing them. Reported by users of real devices; not confirmed.",
            defaults: 100,
            parameters: [.integer("bytes", \.self, 1...1_400, "The largest number of bytes in a piece.")]
        ) { .quirk(.splitSegments(bytes: $0)) },
        FaultDefinition(
            "reversedEvents",
            "The latest change comes first in an event message.",
            realWorldExample: "Devices built on HAP-NodeJS, which reverses the list.",
            effect: .quirk(.reversedEvents)
        ),
        FaultDefinition(
            "coalescing",
            "Changes are collected for less than the usual second before they are sent, or are sent at once.",
            realWorldExample:
                "250ms: devices built on HAP-NodeJS. 500ms: on HAP-python. None: reported by users, not confirmed.",
            defaults: QuirkProfile.CoalescingInterval.quarterSecond,
            parameters: [.choice("time", \.self, "How long changes are collected.")]
        ) { .quirk(.coalescing($0)) },
        FaultDefinition(
            "echoedEvents",
            "The controller that wrote a value receives an event for it, too.",
            realWorldExample: "Reported by users of real devices; not confirmed.",
            effect: .quirk(.echoedEvents)
        ),
        FaultDefinition(
            "booleansAsWords",
            "Values of the format bool are written as true and false instead of 1 and 0.",
            realWorldExample: "An ecobee3, a Hue bridge and a Koogeek LS1, according to their dumps.",
            effect: .quirk(.booleansAsWords)
        ),
        FaultDefinition(
            "requestSize",
            "A request of more bytes is not answered, and nothing else is sent on its connection.",
            realWorldExample: "A Heatmiser neoHub (home-assistant/core issue 181138).",
            defaults: 1_023,
            parameters: [.integer("maximum", \.self, 200...16_384, "The size of the largest request, with its head.")]
        ) { .quirk(.requestSize(maximum: $0)) },
        FaultDefinition(
            "pathSize",
            "A request whose path and query have more bytes is answered with 414.",
            realWorldExample: "Devices built on Espressif's HomeKit SDK (espressif/esp-homekit-sdk issue 30).",
            defaults: 512,
            parameters: [.integer("maximum", \.self, 100...16_384, "The size of the largest path, with its query.")]
        ) { .quirk(.pathSize(maximum: $0)) },
        FaultDefinition(
            "readSize",
            "A read of more characteristics fails as a whole, with -70407.",
            realWorldExample: "A Honeywell T9 and an LG C1 (home-assistant/core issues 152206 and 152210).",
            defaults: 49,
            parameters: [.integer("maximum", \.self, 1...4_096, "The number of characteristics in the largest read.")]
        ) { .quirk(.readSize(maximum: $0)) },
        FaultDefinition(
            "subscriptionsByAccessory",
            "A request that subscribes to characteristics of several accessories is answered with success, but has no effect.",
            realWorldExample: "A bridge with 28 devices (home-assistant/core issue 37996).",
            effect: .quirk(.subscriptionsByAccessory)
        ),
        FaultDefinition(
            "trailingCommas",
            "In JSON, a comma follows the last element of a list.",
            realWorldExample: "A Netatmo relay (home-assistant/core issue 52642).",
            effect: .quirk(.trailingCommas)
        ),
        FaultDefinition(
            "ignoredTrue",
            "A write that contains true instead of 1 is answered with success, but has no effect.",
            realWorldExample: "An Ecobee Switch+ (home-assistant/core issue 33174).",
            effect: .quirk(.ignoredTrue)
        ),
        FaultDefinition(
            "writesWithoutIDs",
            "The response to a write always has a body, whose items have a status but no ids.",
            realWorldExample: "A Somfy TaHoma (Jc2k/aiohomekit pull request 394).",
            effect: .quirk(.writesWithoutIDs)
        ),
        FaultDefinition(
            "rememberedPress",
            "A read of Programmable Switch Event returns the last press that was reported, instead of null.",
            realWorldExample: "Reported by users of real devices (Jc2k/aiohomekit issue 264).",
            effect: .quirk(.rememberedPress)
        ),
        FaultDefinition(
            "lengthBeforeType",
            "A request whose Content-Type comes before its Content-Length is answered with 400.",
            realWorldExample: "A Heatmiser neoHub (Jc2k/aiohomekit issue 20).",
            effect: .quirk(.lengthBeforeType)
        ),
        FaultDefinition(
            "hostWithoutPort",
            "A request whose Host has a port is answered with 400.",
            realWorldExample: "An Insignia NS-CH1XGO8 (home-assistant/core issue 33014).",
            effect: .quirk(.hostWithoutPort)
        ),
        FaultDefinition(
            "pairingsWithoutSeparators",
            "The list of pairings has no separators.",
            realWorldExample: "Reported by users of real devices (jlusiardi/homekit_python issue 193).",
            effect: .quirk(.pairingsWithoutSeparators)
        ),
    ]
}
