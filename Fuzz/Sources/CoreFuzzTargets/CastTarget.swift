import Cast
import FuzzHarness
import HAPCore

/// Senders of a Cast receiver: any bytes are messages or errors, and any messages leave it in a state that it can tell.
///
/// An input is a list of steps: a byte that says what happens, and for a message or raw bytes their length and content.
enum CastTarget: FuzzTarget {
    static let name = "cast"

    private static let channel = "urn:x-cast:com.example.quiz"

    static var seeds: [String: [UInt8]] {
        let connect = message(0, "{\"type\":\"CONNECT\"}")
        let launch = message(1, "{\"type\":\"LAUNCH\",\"appId\":\"CC1AD845\",\"requestId\":1}")
        let joined = connect + launch + message(4, "{\"type\":\"CONNECT\"}")
        let film =
            "{\"contentId\":\"a\",\"duration\":60,\"breakClips\":[{\"id\":\"c\",\"duration\":5,\"whenSkippable\":1}],"
            + "\"breaks\":[{\"id\":\"b\",\"position\":0,\"breakClipIds\":[\"c\"]},"
            + "{\"id\":\"d\",\"position\":30,\"breakClipIds\":[\"c\",\"c\"],\"isEmbedded\":true}]}"
        let load = message(2, "{\"type\":\"LOAD\",\"autoplay\":\"true\",\"currentTime\":null,\"media\":\(film)}")
        func media(_ text: String) -> [UInt8] { message(2, text) }
        var seeds: [String: [UInt8]] = [
            "launch": joined,
            "volume": connect + message(1, "{\"type\":\"SET_VOLUME\",\"volume\":{\"level\":1e999,\"muted\":null}}"),
            "available": message(1, "{\"type\":\"GET_APP_AVAILABILITY\",\"appId\":[\"CC1AD845\",7,\"\"]}"),
            "load": joined + load + [time, 200, 0] + media("{\"type\":\"SKIP_AD\"}") + [time, 255, 255],
            "seek": joined + load + [time, 60, 0] + media("{\"type\":\"SEEK\",\"currentTime\":40}") + [time, 99, 0],
            "rate": joined + load + media("{\"type\":\"SET_PLAYBACK_RATE\",\"relativePlaybackRate\":2}") + [
                time, 99, 9,
            ],
            "tracks": joined + load + media("{\"type\":\"EDIT_TRACKS_INFO\",\"activeTrackIds\":[1,\"2\",{}]}"),
            "channel": connect + message(1, "{\"type\":\"LAUNCH\",\"appId\":\"QUIZ\"}")
                + message(4, "{\"type\":\"CONNECT\"}")
                + message(3, "{\"type\":\"join\"}") + message(3, "***"),
            "setup": message(5, "{\"type\":\"GET_DEVICE_INFO\"}") + message(6, "{\"type\":\"eureka_info\"}"),
            "device": joined + load + [other, 0, other, 1, other, 2, other, 3, other, 4, other, 5, time, 9, 9],
        ]
        let queue =
            "{\"type\":\"QUEUE_LOAD\",\"repeatMode\":\"REPEAT_ALL_AND_SHUFFLE\",\"items\":[{\"media\":\(film)},"
            + "{\"media\":{\"contentId\":\"b\",\"duration\":1}},{\"media\":{\"contentId\":\"c\"},\"startTime\":1e9}]}"
        seeds["queue"] =
            joined + media(queue) + media("{\"type\":\"QUEUE_UPDATE\",\"jump\":-9223372036854775808}")
            + media("{\"type\":\"QUEUE_INSERT\",\"items\":[{}],\"insertBefore\":2,\"currentItemIndex\":0}")
            + media("{\"type\":\"QUEUE_REORDER\",\"itemIds\":[3,1],\"insertBefore\":1}")
            + media("{\"type\":\"QUEUE_REMOVE\",\"itemIds\":[1,2]}") + media("{\"type\":\"QUEUE_GET_ITEM_IDS\"}")
            + media("{\"type\":\"QUEUE_GET_ITEM_RANGE\",\"itemId\":3,\"nextCount\":-1}") + [time, 0, 255]
        let frame = CastMessage(from: "s", to: "receiver-0", CastNamespace.receiver, .binary([1])).frame ?? []
        seeds["frames"] = raw(frame + [0, 0, 0, 0] + frame.prefix(9)) + raw([0xFF, 0xFF, 0xFF, 0xFF])
        seeds["challenge"] = raw([0x0A, 8, 0x08, 1, 0x12, 2, 1, 2, 0x18, 1])
        return seeds
    }

    /// The steps; a smaller number is a message in one of the namespaces.
    private static let (time, other, bytes) = (UInt8(10), UInt8(11), UInt8(12))

    private static func message(_ kind: UInt8, _ text: String) -> [UInt8] { ByteSource.raw(kind, Array(text.utf8)) }
    private static func raw(_ content: some Sequence<UInt8>) -> [UInt8] { ByteSource.raw(bytes, Array(content)) }

    static func run(_ input: [UInt8]) {
        var configuration = CastReceiver.Configuration()
        configuration.apps.append(
            CastApp(
                id: "QUIZ",
                name: "Quiz",
                ownNamespaces: [channel],
                replies: [
                    CastReply(pattern: "{*\"join\"*}", text: "{message}{message}"), CastReply(pattern: "*", text: ""),
                ]
            )
        )
        var receiver = CastReceiver(configuration)
        var now = MonotonicInstant.zero
        var source = ByteSource(input)
        while !source.isEmpty {
            let step = source.byte()
            switch step & 0x0F {
            case time:
                now = now.advanced(by: .milliseconds(source.number() * 10))
                receiver.advance(to: now)
            case other: perform(source.byte(), on: &receiver, at: now)
            case bytes: read(source.bytes(source.number() & 0xFFF), step)
            case let kind:
                let text = String(decoding: source.bytes(source.number() & 0x3FFF), as: UTF8.self)
                let namespaces = [
                    CastNamespace.connection, CastNamespace.receiver, CastNamespace.media, channel,
                    CastNamespace.connection, CastNamespace.discovery, CastNamespace.setup,
                ]
                let namespace = namespaces[Int(kind) % namespaces.count]
                let isForApp = [2, 3, 4].contains(Int(kind) % namespaces.count)
                let destination = isForApp ? receiver.running?.sessionID ?? "web-1" : CastID.receiver
                let message = CastMessage(from: "s\(step >> 6)", to: destination, namespace, .text(text))
                receiver.receive(message, from: UInt64(step >> 4 & 1), at: now)
            }
            check(&receiver, at: now)
        }
    }

    private static func perform(_ action: UInt8, on receiver: inout CastReceiver, at now: MonotonicInstant) {
        switch action % 7 {
        case 0: receiver.setActive(action & 8 == 0, at: now)
        case 1: receiver.setVolume(CastVolume(level: 0.5, isMuted: action & 8 == 0))
        case 2: receiver.disconnect(UInt64(action >> 3 & 1))
        case 3: receiver.crashApp()
        case 4: _ = receiver.finishMedia(at: now)
        case 5: receiver.stopApp(at: now)
        default: _ = receiver.sendToAll("{}", channel)
        }
    }

    private static func check(_ receiver: inout CastReceiver, at now: MonotonicInstant) {
        for (message, _) in receiver.takeMessages() {
            guard let frame = message.frame else {
                // An answer that repeats a text may be too long; it is not sent.
                claim(message.namespace == channel, "an answer of the receiver fits into a frame")
                continue
            }
            let read = try? CastMessage(parsing: frame.dropFirst(4))
            claim(read?.destination == message.destination, "a message that is sent can be read")
            claim(read?.object?.members.count == message.object?.members.count, "what is read is what was sent")
            guard message.namespace != channel else { continue }
            claim(message.object?.text("type") ?? message.object?.text("responseType") != nil, "an answer has a type")
        }
        for event in receiver.takeEvents() { claim(!event.name.isEmpty, "an event has a name") }
        claim((0...1).contains(receiver.volume.level), "a volume is from 0 to 1")
        if let due = receiver.nextDeadline { claim(due > now, "nothing is due that was not handled") }
        guard let media = receiver.running?.media else { return }
        claim(!media.isIdle, "what has ended is forgotten")
        claim(MediaSession.rates.contains(media.rate), "a rate is from 0.5 to 2")
        claim(media.position(at: now).isFinite && media.position(at: now) >= 0, "a position is a number of seconds")
        claim(media.queue.items.count <= MediaQueue.maximumCount, "a queue has a limited number of items")
        claim(media.queue.currentID.map { media.queue[$0] != nil } ?? false, "what is played is in the queue")
        claim(Set(media.queue.items.map(\.id)).count == media.queue.items.count, "the items have different numbers")
    }

    /// Reads raw bytes as frames and as a challenge.
    private static func read(_ content: [UInt8], _ step: UInt8) {
        _ = try? AuthenticationChallenge(parsing: content)
        var decoder = CastFrameDecoder()
        let size = Int(step >> 4) + 1
        var start = 0
        while start < content.count {
            decoder.append(content[start..<min(start + size, content.count)])
            start += size
            do throws(CastError) {
                while let frame = try decoder.next() { _ = try CastMessage(parsing: frame) }
            } catch {
                return
            }
        }
    }
}
