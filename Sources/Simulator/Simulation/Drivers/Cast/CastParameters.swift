internal import AccessoryModel
package import Cast
package import Documents
internal import HAPCore

/// The parameters of the driver `cast`.
package struct CastParameters: Sendable, Hashable {
    /// The port; 0 for any, and `nil` for 8009 or the next free one.
    package internal(set) var port: UInt16?
    package internal(set) var address = "127.0.0.1"
    /// The name that senders show; `nil` for that of the accessory.
    package internal(set) var name: String?
    package internal(set) var model = "Chromecast"
    /// The apps besides the default media receiver.
    package internal(set) var apps: [CastApp] = []
    package internal(set) var contents: [CastContent] = []
    package internal(set) var launchTime = Duration.zero
    package internal(set) var loadTime = Duration.zero
    package internal(set) var hasFixedVolume = false
    /// Whether Current Media State is 5, interrupted, while an ad is played.
    package internal(set) var isInterruptedByAds = false

    private static let reply = ObjectFormat(
        CastReply(pattern: "", text: ""),
        [
            .required(
                "to",
                \.pattern,
                .text(bytes: 1...4_096),
                "The text of the message, in which * stands for anything."
            ),
            .required(
                "text",
                \.text,
                .text(bytes: 1...4_096),
                "The answer, in which {message} stands for the text of the message."
            ),
        ]
    )
    .format(isInline: true)

    private static let namespace = Format<String>
        .parsed(
            "namespace",
            "write one such as urn:x-cast:com.example.quiz",
            pattern: "^urn:x-cast:.{1,117}$",
            read: { text in
                text.hasPrefix(CastNamespace.start) && CastNamespace.start.count < text.utf8.count
                    && text.utf8.count <= 128 && !text.hasPrefix(CastNamespace.prefix) ? text : nil
            },
            write: { $0 }
        )

    package static let app = ObjectFormat(
        CastApp(id: "", name: ""),
        [
            .required("id", \.id, .text(bytes: 1...64), "The id by which senders launch it, such as ABCD1234."),
            .required(
                "name",
                \.name,
                .text(bytes: 1...64),
                "The name. An Input Source of this name is selected while the app runs."
            ),
            .defaulted(
                "namespaces",
                \.ownNamespaces,
                .list(of: namespace, maximumCount: 16),
                "Its own channels, such as urn:x-cast:com.example.quiz. Default: none."
            ),
            .defaulted("media", \.playsMedia, .boolean, "Whether it plays media. Default: true."),
            .defaulted(
                "rates",
                \.allowsRates,
                .boolean,
                "Whether senders can change the playback rate. Default: true."
            ),
            .defaulted(
                "replies",
                \.replies,
                .list(of: reply, maximumCount: 64),
                "What it answers in its own channels; the first pattern that fits decides. Default: nothing."
            ),
        ]
    )
    .format()

    static let format: Format<CastParameters> = {
        let time = Format<Duration>.duration(in: .zero ... .seconds(600))
        return ObjectFormat(
            CastParameters(),
            [
                .optional(
                    "port",
                    \.port,
                    .integer(in: 0...UInt16.max),
                    "The port; 0 for any. Default: 8009, or the next free one, which senders take for a group of speakers."
                ),
                .defaulted(
                    "address",
                    \.address,
                    .text(bytes: 1...64),
                    "The address on which it listens; 0.0.0.0 for all. Default: 127.0.0.1, which only this machine reaches."
                ),
                .optional(
                    "name",
                    \.name,
                    .text(bytes: 1...64),
                    "The name that senders show. Default: that of the accessory."
                ),
                .defaulted("model", \.model, .text(bytes: 1...20), "The model that senders show. Default: Chromecast."),
                .defaulted(
                    "apps",
                    \.apps,
                    .list(of: app, maximumCount: 64),
                    "The apps besides the Default Media Receiver, which has the id CC1AD845. Default: none."
                ),
                .defaulted(
                    "contents",
                    \.contents,
                    .list(of: CastContent.format, maximumCount: 256),
                    "Contents of which senders need to name only the address. Default: none."
                ),
                .defaulted("launchTime", \.launchTime, time, "The time from a launch until the app runs. Default: 0s."),
                .defaulted("loadTime", \.loadTime, time, "The time from a load until the content plays. Default: 0s."),
                .defaulted(
                    "fixedVolume",
                    \.hasFixedVolume,
                    .boolean,
                    "Whether the volume is fixed, so that senders cannot change it. Default: false."
                ),
                .defaulted(
                    "interruptedByAds",
                    \.isInterruptedByAds,
                    .boolean,
                    "Whether Current Media State is 5, interrupted, while an ad is played. Default: false."
                ),
            ]
        ) { parameters throws(ObjectError) in
            let ids = parameters.apps.map(\.id) + [CastApp.defaultMediaReceiver.id]
            guard Set(ids).count == ids.count else {
                throw ObjectError(at: "apps", "two apps have the same id; give each its own one, and not CC1AD845")
            }
        }
        .format()
    }()

    /// The configuration of a receiver.
    func configuration(seed: UInt64) -> CastReceiver.Configuration {
        var configuration = CastReceiver.Configuration()
        configuration.name = name ?? "Television"
        configuration.model = model
        configuration.apps = [.defaultMediaReceiver] + apps
        configuration.contents = Dictionary(contents.map { ($0.id, $0.media) }) { first, _ in first }
        (configuration.launchTime, configuration.loadTime) = (launchTime, loadTime)
        configuration.hasFixedVolume = hasFixedVolume
        configuration.seed = seed
        return configuration
    }
}

extension DriverDefinition {
    /// The driver `cast`: a Cast receiver in front of a simulated television or speaker.
    package static let cast = DriverDefinition(
        "cast",
        "A Cast receiver: senders launch apps and play media on the simulated television or speaker.",
        ownership: .none,
        services: [.television, .smartSpeaker],
        listens: true,
        faults: faults,
        eventFields: [
            "sender", "app", "appId", "contentId", "contentType", "title", "namespace", "text", "playerState",
            "idleReason", "breakId", "breakClipId", "playbackRate", "currentTime", "detailedErrorCode",
        ],
        format: CastParameters.format,
        connect: { parameters, type, base, seed in CastBehavior(parameters, type, base, seed: seed) },
        features: { _ in castEvents + CastAction.features }
    )

    private static let faults: [DriverFeature] = [
        DriverFeature(
            .fault,
            "loadFailure",
            "A content cannot be loaded.",
            number: .init(
                "code",
                "The number of the error, such as 104 for an unknown format.",
                default: 104,
                in: 1...999
            )
        ),
        DriverFeature(
            .fault,
            "slowLaunch",
            "An app is launched after a delay.",
            number: .init("seconds", "The delay in seconds.", default: 10, in: 0.1...3_600)
        ),
        DriverFeature(.fault, "busyReceiver", "An app is not launched, because of an error of the receiver."),
        DriverFeature(.fault, "appCrash", "The app ends at the next message for it."),
        DriverFeature(.fault, "noHeartbeat", "The receiver does not answer PING."),
        DriverFeature(.fault, "rejectedAuthentication", "The receiver cannot prove that it is a known device."),
        DriverFeature(.fault, "ignoredVolume", "A volume that a sender sets is ignored."),
        DriverFeature(.fault, "wrongRequestID", "An answer has another request id than the request."),
        DriverFeature(.fault, "halfFrame", "A message is cut off, and its connection closed."),
        DriverFeature(
            .fault,
            "receiverReboot",
            "All connections end at the next message, and the receiver starts again."
        ),
    ]

    static let castEvents: [DriverFeature] = {
        let requests: [(String, String, [String])] = [
            ("LAUNCH", "A sender launches an app.", ["sender", "appId"]),
            ("LOAD", "A sender loads a content.", ["sender", "contentId", "contentType", "title"]),
            ("QUEUE_LOAD", "A sender loads a queue.", ["sender", "contentId", "contentType", "title"]),
            ("PLAY", "A sender plays.", ["sender"]), ("PAUSE", "A sender pauses.", ["sender"]),
            ("STOP", "A sender stops the content or the app.", ["sender", "appId"]),
            ("SEEK", "A sender jumps to a position.", ["sender", "currentTime"]),
            ("SET_PLAYBACK_RATE", "A sender changes the rate.", ["sender", "playbackRate"]),
            ("SET_VOLUME", "A sender changes a volume.", ["sender"]),
            ("EDIT_TRACKS_INFO", "A sender chooses tracks.", ["sender"]),
            ("SKIP_AD", "A sender skips an ad.", ["sender"]),
            ("QUEUE_INSERT", "A sender adds items to the queue.", ["sender"]),
            ("QUEUE_UPDATE", "A sender changes the queue.", ["sender"]),
            ("QUEUE_REMOVE", "A sender removes items from the queue.", ["sender"]),
            ("QUEUE_REORDER", "A sender moves items of the queue.", ["sender"]),
            ("CONNECTED", "A sender connects to an app.", ["sender", "app"]),
            ("DISCONNECTED", "A sender leaves an app.", ["sender", "app"]),
            ("MESSAGE", "A sender writes to a channel of an app.", ["sender", "app", "namespace", "text"]),
            ("APP_STARTED", "An app runs.", ["app", "appId"]), ("APP_STOPPED", "An app has ended.", ["app", "appId"]),
            ("APP_CRASHED", "An app has ended because of a fault.", ["app", "appId"]),
            ("PLAYER", "The player has another state.", ["playerState", "idleReason"]),
            ("LOAD_FAILED", "A content could not be loaded.", ["detailedErrorCode"]),
            ("FINISHED", "A content has been played to its end.", ["contentId"]),
            ("AD_STARTED", "An ad begins.", ["breakId", "breakClipId"]),
            ("AD_ENDED", "An ad has ended.", ["breakId", "breakClipId"]),
            ("AD_SKIPPED", "An ad was skipped.", ["breakId", "breakClipId"]),
            ("otherPort", "Port 8009 is in use, so the receiver listens on another one.", ["port", "reason"]),
            ("unsent", "A message is too long to be sent.", ["namespace"]),
            ("rejected", "A connection has sent an invalid message, or exceeded a limit.", ["peer", "reason"]),
        ]
        let timed: Set<String> = ["APP_STARTED", "PLAYER", "FINISHED", "AD_STARTED", "AD_ENDED"]
        return requests.map { DriverFeature(.event, $0.0, $0.1, fields: $0.2, isTimed: timed.contains($0.0)) }
    }()
}
