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
        var media = MediaInformation(contentID: id, contentType: type, title: title)
        media.isLive = isLive
        media.duration = duration.map { $0 / .seconds(1) }
        if let image { media.images = [CastImage(url: image)] }
        media.adBreaks = breaks.adBreaks
        return media
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

extension CastContent {
    /// A file with the ads of a content.
    package struct AdFile: Sendable, Hashable {
        package internal(set) var breaks: [Break] = []

        package static let format = ObjectFormat(
            AdFile(),
            [.required("ads", \.breaks, .list(of: CastContent.pause, maximumCount: 100), "The ad breaks.")]
        )
        .format()
    }
}

extension [CastContent.Break] {
    /// The breaks as a sender describes them, with ids by their numbers.
    package var adBreaks: [AdBreak] {
        enumerated()
            .map { number, pause in
                AdBreak(
                    id: "break-\(number + 1)",
                    clips: pause.clips.enumerated()
                        .map { place, clip in
                            AdClip(
                                id: "ad-\(number + 1)-\(place + 1)",
                                title: clip.title,
                                duration: clip.duration / .seconds(1),
                                skippableAfter: clip.skippableAfter.map { $0 / .seconds(1) }
                            )
                        },
                    position: pause.position.map { $0 / .seconds(1) } ?? -1,
                    isEmbedded: pause.isEmbedded
                )
            }
    }
}
