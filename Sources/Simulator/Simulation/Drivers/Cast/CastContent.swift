package import Cast
package import Documents
internal import HAPCore

/// A content that a definition describes, so that senders need to name only its address.
package struct CastContent: Sendable, Hashable {
    /// The address or the id by which senders load it.
    package internal(set) var id = ""
    package internal(set) var type = "video/mp4"
    package internal(set) var title: String?
    /// The address of a picture.
    package internal(set) var image: String?
    /// `nil` for a content that does not end.
    package internal(set) var duration: Duration?
    package internal(set) var isLive = false
    package internal(set) var breaks: [Break] = []

    /// Ads at one position of a content.
    package struct Break: Sendable, Hashable {
        /// `nil` for after the content.
        var position: Duration?
        var clips: [Clip] = []
        var isEmbedded = false
    }

    /// One ad.
    package struct Clip: Sendable, Hashable {
        var duration = Duration.seconds(15)
        var skippableAfter: Duration?
        var title: String?
    }

    /// The description as a sender would write it.
    package var media: MediaInformation {
        var media: JSONObject = [
            "contentId": .string(id), "contentType": .string(type), "streamType": isLive ? "LIVE" : "BUFFERED",
        ]
        if let duration { media["duration"] = .real(duration.fractionalSeconds) }
        var metadata: JSONObject = ["metadataType": 0]
        if let title { metadata["title"] = .string(title) }
        if let image { metadata["images"] = .array([.object(["url": .string(image)])]) }
        media["metadata"] = .object(metadata)
        guard !breaks.isEmpty else { return MediaInformation(media) }
        var clips: [JSONValue] = []
        var pauses: [JSONValue] = []
        for (number, pause) in breaks.enumerated() {
            let ids = pause.clips.indices.map { "ad-\(number + 1)-\($0 + 1)" }
            for (id, clip) in zip(ids, pause.clips) {
                var object: JSONObject = ["id": .string(id), "duration": .real(clip.duration.fractionalSeconds)]
                object["title"] = clip.title.map { .string($0) }
                object["whenSkippable"] = clip.skippableAfter.map { .real($0.fractionalSeconds) }
                clips.append(.object(object))
            }
            pauses.append(
                .object([
                    "id": .string("break-\(number + 1)"), "breakClipIds": .array(ids.map { .string($0) }),
                    "position": .real(pause.position?.fractionalSeconds ?? -1),
                    "isEmbedded": .bool(pause.isEmbedded),
                ])
            )
        }
        media["breaks"] = .array(pauses)
        media["breakClips"] = .array(clips)
        return MediaInformation(media)
    }

    private static let times = Duration.zero ... .seconds(86_400)

    private static let clip: Format<Clip> = {
        let duration = Format<Duration>.duration(in: .milliseconds(100) ... .seconds(86_400))
        return ObjectFormat(
            Clip(),
            [
                .defaulted("duration", \.duration, duration, "How long it is. Default: 15s."),
                .optional(
                    "skippableAfter",
                    \.skippableAfter,
                    .duration(in: times),
                    "The time after which it can be skipped. Default: it cannot."
                ),
                .optional("title", \.title, .text(bytes: 1...256), "The title."),
            ]
        )
        .format(isInline: true)
        .orShorthand(
            duration,
            make: { Clip(duration: $0) },
            take: { $0 == Clip(duration: $0.duration) ? $0.duration : nil }
        )
    }()

    private static let pause = ObjectFormat(
        Break(),
        [
            .optional(
                "at",
                \.position,
                .duration(in: times),
                "The time of the content; 0s is before it. Default: after the content."
            ),
            .required("clips", \.clips, .list(of: clip, maximumCount: 100), "The ads, in their order."),
            .defaulted(
                "embedded",
                \.isEmbedded,
                .boolean,
                "Whether the ads are a part of the content, which goes on meanwhile. Default: false."
            ),
        ]
    )
    .format(isInline: true)

    package static let format = ObjectFormat(
        CastContent(),
        [
            .required("id", \.id, .text(bytes: 1...2_048), "The address or the id by which senders load it."),
            .defaulted("type", \.type, .text(bytes: 1...128), "The media type. Default: video/mp4."),
            .optional("title", \.title, .text(bytes: 1...256), "The title."),
            .optional("image", \.image, .text(bytes: 1...2_048), "The address of a picture, which is not fetched."),
            .optional(
                "duration",
                \.duration,
                .duration(in: .milliseconds(100) ... .seconds(86_400)),
                "How long it is, unless the sender sends it. Default: it does not end."
            ),
            .defaulted("live", \.isLive, .boolean, "Whether it is a live stream, without seeking. Default: false."),
            .defaulted(
                "ads",
                \.breaks,
                .list(of: pause, maximumCount: 100),
                "The ad breaks, unless the sender sends its own. Default: none."
            ),
        ]
    )
    .format()
}

extension Duration {
    /// The duration in seconds.
    var fractionalSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
