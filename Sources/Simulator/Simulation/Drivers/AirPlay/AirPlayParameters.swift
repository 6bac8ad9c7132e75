internal import AccessoryModel
package import AirPlay
internal import Documents
internal import HAPCore

/// The parameters of the driver `airplay`.
package struct AirPlayParameters: Sendable, Hashable {
    /// The port; 0 for any, and `nil` for 7000 or the next free one.
    package internal(set) var port: UInt16?
    package internal(set) var address = "127.0.0.1"
    /// The name that senders show; `nil` for that of the accessory.
    package internal(set) var name: String?
    /// The model that senders show; `nil` for that of the accessory.
    package internal(set) var model: String?
    /// Who may play.
    package internal(set) var policy = AirPlayAccess.Policy.everyone
    /// The PIN of four digits; `nil` for another one at each start.
    package internal(set) var pin: String?
    package internal(set) var password: String?
    /// Whether videos are accepted; `nil` for whether there is a television.
    package internal(set) var hasVideo: Bool?
    /// Whether the addresses of videos are fetched.
    package internal(set) var fetches = false
    /// How long a video is that is not fetched.
    package internal(set) var videoDuration = Duration.seconds(3_600)

    static let format: Format<AirPlayParameters> = {
        let pin = Format<String>
            .parsed(
                "PIN",
                "write four digits such as \"1234\"",
                pattern: "^[0-9]{4}$",
                read: { text in
                    text.utf8.count == 4 && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? text : nil
                },
                write: { $0 }
            )
        return ObjectFormat(
            AirPlayParameters(),
            [
                .optional(
                    "port",
                    \.port,
                    .integer(in: 0...UInt16.max),
                    "The port; 0 for any. Default: 7000, or the next free one."
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
                    .text(bytes: 1...48),
                    "The name that senders show. Default: that of the accessory."
                ),
                .optional(
                    "model",
                    \.model,
                    .text(bytes: 1...48),
                    "The model that senders show. Default: that of the accessory."
                ),
                .defaulted(
                    "access",
                    \.policy,
                    .word([("everyone", .everyone), ("pin", .pin)]),
                    "Which senders may play: everyone, or those that were paired with a PIN. Default: everyone."
                ),
                .optional(
                    "pin",
                    \.pin,
                    pin,
                    "The PIN for pairing. Default: a random one at each start, which the log shows."
                ),
                .optional(
                    "password",
                    \.password,
                    .text(bytes: 1...64),
                    "A password, which senders must know. Default: none."
                ),
                .optional(
                    "video",
                    \.hasVideo,
                    .boolean,
                    "Whether it plays videos by their addresses. Default: true for a television."
                ),
                .defaulted(
                    "fetch",
                    \.fetches,
                    .boolean,
                    "Whether the playlist of a video is fetched, from public addresses only. Default: false."
                ),
                .defaulted(
                    "videoDuration",
                    \.videoDuration,
                    .duration(in: .seconds(1) ... .seconds(86_400)),
                    "How long a video is that is not fetched. Default: 1h."
                ),
            ]
        )
        .format()
    }()

    /// The configuration of the device.
    var configuration: AirPlayDevice.Configuration {
        var configuration = AirPlayDevice.Configuration()
        configuration.videoDuration = videoDuration / .seconds(1)
        configuration.fetches = fetches
        return configuration
    }
}

extension DriverDefinition {
    /// The driver `airplay`: an AirPlay receiver in front of a simulated television or speaker.
    package static let airPlay = DriverDefinition(
        "airplay",
        "An AirPlay receiver: senders play audio and videos on the simulated television or speaker.",
        ownership: .none,
        services: [.television, .smartSpeaker, .speaker],
        listens: true,
        faults: faults,
        eventFields: [
            "sender", "version", "title", "artist", "album", "url", "reason", "status", "command", "file", "pin",
            "resolution", "bandwidth", "variants", "packets", "lost", "late", "reordered", "resent",
        ],
        format: AirPlayParameters.format,
        connect: { parameters, type, base, _ in AirPlayBehavior(parameters, type, base) },
        features: { _ in airPlayEvents + AirPlayAction.features }
    )

    private static let faults: [DriverFeature] = [
        DriverFeature(.fault, "wrongPIN", "A PIN is refused as if it were wrong."),
        DriverFeature(
            .fault,
            "refusedSession",
            "A session is refused.",
            number: .init("status", "The status of the answer.", default: 453, in: 400...599)
        ),
        DriverFeature(.fault, "deviceInUse", "A session is refused as if another sender played, and /info says so."),
        DriverFeature(
            .fault,
            "lostPackets",
            "Audio packets are lost for a second.",
            number: .init("percent", "The part of the packets.", default: 10, in: 1...100)
        ),
        DriverFeature(
            .fault,
            "latePackets",
            "Audio packets arrive later for a second.",
            number: .init("ms", "The delay in milliseconds.", default: 200, in: 1...5_000)
        ),
        DriverFeature(
            .fault,
            "resendStorm",
            "The receiver asks for 100 packets again that it has, each 0.1 s for a second."
        ),
        DriverFeature(.fault, "droppedFeedback", "The receiver does not answer /feedback."),
        DriverFeature(
            .fault,
            "clockDrift",
            "The clock of the receiver is wrong for the rest of the stream.",
            number: .init("ppm", "How much faster it is, in millionths.", default: 200, in: -10_000...10_000)
        ),
    ]

    static let airPlayEvents: [DriverFeature] = {
        let events: [(String, String, [String])] = [
            ("sessionStarted", "A sender begins a session.", ["sender", "version"]),
            ("sessionEnded", "A session has ended.", ["sender", "reason"]),
            ("sessionRefused", "A sender wants a session and does not get it.", ["sender", "status", "reason"]),
            ("playing", "Audio or a video is played.", ["title"]), ("paused", "Playback is paused.", []),
            ("stopped", "Nothing is played any longer.", []),
            ("volume", "A sender changes the volume.", ["decibels"]),
            ("metadata", "A sender names what it plays.", ["title", "artist", "album"]),
            ("artwork", "A sender sends a picture.", ["type", "bytes"]),
            ("videoRequested", "A sender asks for a video.", ["url"]),
            (
                "videoLoaded", "The playlist of a video was read.",
                ["url", "duration", "variants", "resolution", "bandwidth"]
            ),
            ("videoFailed", "A video cannot be played.", ["url", "code", "reason"]),
            ("videoEnded", "A video has been played to its end.", ["url"]),
            ("enabled", "AirPlay was turned on.", []), ("disabled", "AirPlay was turned off.", []),
            ("pin", "A sender asks for a PIN, which the receiver shows.", ["pin"]),
            ("paired", "A sender was paired.", ["sender"]), ("unpaired", "A sender was removed.", ["sender"]),
            ("remoteCommand", "A command was sent to the sender.", ["command", "sent"]),
            ("packetsLost", "Audio packets were lost.", ["count"]),
            (
                "received", "An audio stream has ended.",
                ["format", "packets", "lost", "late", "reordered", "resent", "rejected", "drift"]
            ),
            ("recorded", "A recording was stored.", ["file", "duration"]),
            ("unrecorded", "A recording cannot be stored.", ["reason"]),
            ("otherPort", "Port 7000 is in use, so the receiver listens on another one.", ["port", "reason"]),
            ("rejected", "A connection has sent an invalid message, or exceeded a limit.", ["peer", "reason"]),
        ]
        let timed: Set<String> = ["playing", "paused", "stopped", "sessionEnded", "videoEnded"]
        return events.map { DriverFeature(.event, $0.0, $0.1, fields: $0.2, isTimed: timed.contains($0.0)) }
    }()
}
