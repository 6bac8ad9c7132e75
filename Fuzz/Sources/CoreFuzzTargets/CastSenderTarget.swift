import Cast
import FuzzHarness
import HAPCore

/// A receiver of which a sender knows nothing: any bytes are messages or errors, and any status can be read.
///
/// An input is a list of steps: a byte that says what happens, and for a message or raw bytes their length and content.
enum CastSenderTarget: FuzzTarget {
    static let name = "cast-sender"

    private static let channel = "urn:x-cast:com.example.quiz"
    private static let namespaces = [
        CastNamespace.receiver, CastNamespace.media, CastNamespace.connection, CastNamespace.heartbeat, channel,
    ]
    /// The steps; a smaller number is a message in one of the namespaces.
    private static let (time, request, bytes) = (UInt8(10), UInt8(11), UInt8(12))

    static var seeds: [String: [UInt8]] {
        func message(_ kind: UInt8, _ text: String) -> [UInt8] { ByteSource.raw(kind, Array(text.utf8)) }
        let app =
            "{\"appId\":\"A\",\"sessionId\":\"s\",\"transportId\":\"t\",\"namespaces\":[{\"name\":\"\(channel)\"},"
            + "{\"name\":\"\(CastNamespace.media)\"},7,{}]}"
        let status = message(
            0,
            "{\"type\":\"RECEIVER_STATUS\",\"requestId\":1,\"status\":{\"applications\":[{},\(app)],\"volume\":"
                + "{\"level\":\"0.5\",\"muted\":1,\"stepInterval\":-1}}}"
        )
        let media = message(
            1,
            "{\"type\":\"MEDIA_STATUS\",\"requestId\":2,\"status\":[{\"mediaSessionId\":1,\"playerState\":\"PLAYING\","
                + "\"currentTime\":1e300,\"playbackRate\":1e300,\"media\":{\"duration\":60,\"breaks\":[{\"id\":\"b\","
                + "\"breakClipIds\":[\"c\"]}],\"breakClips\":[{\"id\":\"c\"}],\"metadata\":{\"images\":[{\"url\":\"\"}]}},"
                + "\"breakStatus\":{\"breakId\":\"b\",\"whenSkippable\":-1},\"items\":[{\"itemId\":1},{}]}]}"
        )
        let frame = CastMessage(from: "receiver-0", to: "*", CastNamespace.heartbeat, .text("{\"type\":\"PING\"}"))
            .frame
        return [
            "status": status + [request, 0] + media + [time, 255, 0],
            "nulls": message(0, "{\"type\":\"RECEIVER_STATUS\",\"status\":null}") + message(1, "{\"status\":[null]}"),
            "later": status + media + message(1, "{\"type\":\"MEDIA_STATUS\",\"status\":[{\"mediaSessionId\":\"1\"}]}"),
            "close": status + [request, 1] + message(2, "{\"type\":\"CLOSE\"}") + message(4, "hello"),
            "errors": message(1, "{\"type\":\"LOAD_FAILED\",\"requestId\":1,\"detailedErrorCode\":\"104\"}"),
            "frames": ByteSource.raw(bytes, (frame ?? []) + [0, 0, 0, 0, 0, 0])
                + ByteSource.raw(bytes, [255, 255, 255, 255]),
            "proof": ByteSource.raw(bytes, [0x12, 6, 0x0A, 1, 7, 0x12, 1, 8]),
        ]
    }

    static func run(_ input: [UInt8]) {
        var now = MonotonicInstant.zero
        var link = SenderLink(at: now)
        var source = ByteSource(input)
        while !source.isEmpty {
            let step = source.byte()
            switch step & 0x0F {
            case time:
                now = now.advanced(by: .milliseconds(source.number() * 10))
                _ = link.advance(to: now)
            case request: perform(source.byte(), on: &link)
            case bytes:
                let content = source.bytes(source.number() & 0xFFF)
                _ = try? DeviceProof(parsing: content)
                // A connection with such bytes ends.
                guard (try? link.receive(content, at: now)) != nil else { return }
            case let kind:
                let text = String(decoding: source.bytes(source.number() & 0x3FFF), as: UTF8.self)
                let sender = step & 0x80 == 0 ? CastID.receiver : link.app?.transportID ?? "t"
                let namespace = namespaces[Int(kind) % namespaces.count]
                let message = CastMessage(
                    from: sender,
                    to: step & 0x40 == 0 ? "*" : SenderLink.id,
                    namespace,
                    .text(text)
                )
                guard let frame = message.frame, let events = try? link.receive(frame, at: now) else { continue }
                claim(events.count <= 2, "a message is a status, an answer, or both")
                for case .answer(_, let object, _) in events { _ = ReceiverRefusal(object) }
            }
            check(&link, at: now)
        }
    }

    private static func perform(_ action: UInt8, on link: inout SenderLink) {
        switch action % 4 {
        case 0, 1: if let app = link.receiver?.app { link.connect(to: app) }
        case 2: link.disconnect()
        default: _ = link.request(MediaRequest.play.object, CastNamespace.media, to: link.app?.transportID ?? "")
        }
    }

    private static func check(_ link: inout SenderLink, at now: MonotonicInstant) {
        for message in link.takeMessages() {
            // An id of the receiver may be as long as a frame.
            claim(
                message.frame != nil || message.destination.utf8.count > 1_000,
                "a message of a sender fits into a frame"
            )
        }
        claim((0...1).contains(link.receiver?.volume.level ?? 0), "a volume is from 0 to 1")
        claim((0...1).contains(link.receiver?.volumeStep ?? 0.5), "a step is from 0 to 1")
        guard let media = link.media else { return }
        claim(link.app != nil, "an app plays what is played")
        let position = media.position(at: now)
        claim(position >= 0 && !position.isNaN, "a position is not negative")
        if let duration = media.media?.duration {
            claim(position <= duration || position == media.receivedPosition, "a film has an end")
        }
        _ = (media.items, media.adBreak, media.rate, media.commands, media.repeatMode, media.media?.images.first)
        for pause in media.media?.adBreaks ?? [] { claim(!pause.clips.isEmpty, "a break has clips") }
    }
}
