internal import AccessoryModel
internal import Documents
internal import HAPCore

/// The parameters of the driver `chromecast`.
package struct ChromecastParameters: Sendable, Hashable {
    /// What HomeKit sees of a receiver that is not on the network.
    package enum Absence: String, Sendable, Hashable, CaseIterable {
        /// It is off.
        case off
        /// It does not respond.
        case noResponse
    }

    /// An app that is an input.
    package struct App: Sendable, Hashable {
        /// The id of the app.
        package internal(set) var id = ""
        /// The name of its Input Source.
        package internal(set) var input = ""
    }

    /// The name of the receiver, which is searched on the network.
    package internal(set) var name: String?
    /// The address of the receiver, if it is not searched.
    package internal(set) var address: String?
    package internal(set) var port: UInt16 = 8_009
    /// The SHA-256 digest of the device certificate; `nil` accepts every receiver.
    package internal(set) var fingerprint: String?
    package internal(set) var apps: [App] = []
    package internal(set) var absence = Absence.off

    private static let app = ObjectFormat(
        App(),
        [
            .required("id", \.id, .text(bytes: 1...64), "The id of the app, such as 233637DE."),
            .required("input", \.input, .text(bytes: 1...64), "The name of its Input Source."),
        ]
    )
    .format(isInline: true)

    static let format: Format<ChromecastParameters> = ObjectFormat(
        ChromecastParameters(),
        [
            .optional(
                "name",
                \.name,
                .text(bytes: 1...256),
                "The name of the receiver, which is searched on the network."
            ),
            .optional("address", \.address, .text(bytes: 1...256), "Instead: its IP address or host name."),
            .defaulted("port", \.port, .integer(in: 1...65_535), "With address: its port. Default: 8009."),
            .optional(
                "fingerprint",
                \.fingerprint,
                .text(bytes: 64...64),
                "The SHA-256 digest of its device certificate, in hexadecimal digits; another receiver is refused. Default: "
                    + "none."
            ),
            .defaulted(
                "apps",
                \.apps,
                .list(of: app, maximumCount: 64),
                "Which app each input starts; the input named Default Media Receiver needs no entry. Default: none."
            ),
            .defaulted(
                "absent",
                \.absence,
                .word([("off", .off), ("noResponse", .noResponse)]),
                "What HomeKit sees of a receiver that is not on the network: off or noResponse. Default: off."
            ),
        ]
    ) { parameters throws(ObjectError) in
        guard (parameters.name == nil) != (parameters.address == nil) else {
            throw ObjectError("write either \"name\" or \"address\" of the receiver")
        }
    }
    .format(isInline: true)
}

extension DriverDefinition {
    /// The driver `chromecast`: a Cast receiver that the user owns.
    package static let chromecast = DriverDefinition(
        "chromecast",
        "A Chromecast, or another Cast receiver on the network.",
        ownership: .all,
        format: ChromecastParameters.format
    ) { _ in chromecastFeatures }

    static let chromecastFeatures: [DriverFeature] = [
        DriverFeature(.event, "connected", "The receiver was found.", fields: ["name", "address"]),
        DriverFeature(.event, "absent", "The receiver is not on the network, or was lost.", fields: ["reason"]),
        DriverFeature(.event, "APP_STARTED", "An app runs.", fields: ["app", "appId"]),
        DriverFeature(.event, "APP_STOPPED", "An app has ended.", fields: ["app", "appId"]),
        DriverFeature(.event, "PLAYER", "The player has another state.", fields: ["playerState", "idleReason"]),
        DriverFeature(.action, "launch", "Runs an app by its id.", fields: ["appId"]),
        DriverFeature(.action, "quit", "Ends the app."),
        DriverFeature(.action, "load", "Loads a content.", fields: ["contentId", "contentType", "title"]),
        DriverFeature(.action, "play", "Plays."), DriverFeature(.action, "pause", "Pauses."),
        DriverFeature(.action, "stop", "Ends the content."),
        DriverFeature(.action, "seek", "Jumps to a position in seconds.", fields: ["currentTime"]),
        DriverFeature(.action, "rate", "Changes the rate, from 0.5 to 2.", fields: ["playbackRate"]),
        DriverFeature(.action, "next", "Plays the next item of the queue."),
        DriverFeature(.action, "previous", "Plays the previous item of the queue."),
        DriverFeature(.action, "skip-ad", "Skips the ad, if that is possible now."),
    ]
}
