import AccessoryModel
import CastSender
import Documents
import HAPCore
import HAPServer
import Hosting
import Resources

/// What a receiver does, as the commands of `hap cast` print it.
struct CastStatus: Sendable {
    var receiver: String
    var address: String
    /// Why there is no connection now, and another one is opened.
    var outage: String?
    var volume: Double?
    var isMuted: Bool?
    var app: App?
    var media: Media?
    /// The SHA-256 digest of the device certificate, if it was asked for.
    var fingerprint: String?

    struct App: Sendable {
        var id: String
        var name: String
        var text: String
        var namespaces: [String]

        static let format = Format<App>(
            response: "CastAppStatus",
            .written("id", \.id, .string, "The id of the app."),
            .written("name", \.name, .string, "The name of the app."),
            .written("text", \.text, .string, "What the app says that it does."),
            .written("namespaces", \.namespaces, .list(of: .string), "The namespaces of the messages that it knows.")
        )
    }

    struct Media: Sendable {
        var state: String
        var idleReason: String?
        var contentID: String
        var title: String?
        var image: String?
        var position: Double
        var duration: Double?
        var rate: Double
        var canChangeRate: Bool
        var item: Int?
        var repeatMode: String
        var ad: Ad?

        static let format = Format<Media>(
            response: "CastMediaStatus",
            .written("state", \.state, .word(PlayerState.allCases.map(\.rawValue)), "What the player does."),
            .written("idleReason", \.idleReason, .string, "Why nothing is played."),
            .written("contentId", \.contentID, .string, "The address or the id of the content."),
            .written("title", \.title, .string, "The title of the content."),
            .written("image", \.image, .string, "The address of a picture of the content."),
            .written("position", \.position, .number, "The seconds that have been played."),
            .written("duration", \.duration, .number, "The seconds of the content, if they are known."),
            .written("rate", \.rate, .number, "The rate; 1 is normal."),
            .written("canChangeRate", \.canChangeRate, .boolean, "Whether the rate can be changed."),
            .written("item", \.item, .integer, "The number of the item of the queue."),
            .written("repeat", \.repeatMode, .word(RepeatMode.allCases.map(\.rawValue)), "What follows the last item."),
            .written("ad", \.ad, Ad.format, "The ad that is played.")
        )
    }

    struct Ad: Sendable {
        var breakID: String
        var clipID: String
        var position: Double
        var skippableAfter: Double?

        static let format = Format<Ad>(
            response: "CastAdStatus",
            .written("break", \.breakID, .string, "The id of the ad break."),
            .written("clip", \.clipID, .string, "The id of the clip."),
            .written("position", \.position, .number, "The seconds of the clip that have been played."),
            .written("skippableAfter", \.skippableAfter, .number, "The seconds after which it can be skipped.")
        )
    }

    static let format = Format<CastStatus>(
        response: "CastStatus",
        .written("receiver", \.receiver, .string, "The name of the receiver."),
        .written("address", \.address, .string, "Its address and port."),
        .written("outage", \.outage, .string, "Why there is no connection now; the rest is as it was before."),
        .written("volume", \.volume, .number, "The volume, from 0 to 1."),
        .written("muted", \.isMuted, .boolean, "Whether it is muted."),
        .written("app", \.app, App.format, "The app that runs."),
        .written("media", \.media, Media.format, "What the app plays."),
        .written(
            "fingerprint",
            \.fingerprint,
            .string,
            "The SHA-256 digest of the device certificate, if it was asked for."
        )
    )

    init(_ session: CastSession) {
        let device = session.device
        (receiver, address) = (device.name, device.address)
        if case .suspended(let error) = session.state { outage = "\(error)" }
        let status = session.receiverStatus
        (volume, isMuted) = (status?.volume.level, status?.volume.isMuted)
        app = status?.app.map { App(id: $0.id, name: $0.name, text: $0.statusText, namespaces: $0.namespaces) }
        media = session.media.status.map { Media($0, at: .now) }
    }
}

extension CastStatus.Media {
    fileprivate init(_ status: MediaStatus, at now: MonotonicInstant) {
        state = status.playerState.rawValue
        idleReason = status.idleReason?.rawValue
        contentID = status.media?.contentID ?? ""
        (title, image) = (status.media?.title, FirstImagePicker().image(of: status.media))
        (position, duration) = (status.position(at: now), status.media?.duration)
        (rate, canChangeRate) = (status.rate, status.canChangeRate)
        (item, repeatMode) = (status.currentItemID, status.repeatMode.rawValue)
        ad = status.adBreak.map {
            CastStatus.Ad(
                breakID: $0.breakID,
                clipID: $0.clipID,
                position: $0.clipTime,
                skippableAfter: $0.skippableAfter
            )
        }
    }
}

extension CastImagePicker {
    fileprivate func image(of media: MediaInformation?) -> String? {
        let hints = CastImageHints(.custom, size: CastImage.Size(width: 1_280, height: 720))
        return media.flatMap { image(for: hints, of: $0) }?.url
    }
}

// MARK: Text

extension CastStatus {
    var text: String {
        var parts = [receiver == address ? address : "\(receiver) (\(address))"]
        if let volume {
            parts.append("volume \(Int((volume * 100).rounded())) %\(isMuted == true ? ", muted" : "")")
        }
        var lines = [parts.joined(separator: ", ")]
        lines.append("App: " + (app.map { $0.name + ($0.text.isEmpty ? "" : " – \($0.text)") } ?? "none"))
        if let media { lines += media.lines }
        return lines.map { $0.printable + "\n" }.joined()
    }

    /// The status in one line.
    var line: String {
        if let outage { return outage.printable }
        let parts = [app?.name ?? "no app"] + (media?.lines ?? [])
        let volume = volume.map { "volume \(Int(($0 * 100).rounded())) %" }
        return (parts + [volume].compactMap { $0 }).joined(separator: " · ").printable
    }
}

extension CastStatus.Media {
    fileprivate var lines: [String] {
        var text = "\(title ?? contentID): \(state.lowercased())"
        if let idleReason { text += " (\(idleReason.lowercased()))" }
        if state != PlayerState.idle.rawValue {
            text += ", \(position.clockText)" + (duration.map { " of \($0.clockText)" } ?? "")
            text += rate == 1 ? "" : ", rate \(rate)"
            text += canChangeRate ? "" : ", fixed rate"
        }
        guard let ad else { return [text] }
        var line = "Ad \(ad.clipID) of \(ad.breakID): \(ad.position.clockText)"
        if let after = ad.skippableAfter {
            line += after <= ad.position ? ", can be skipped" : ", can be skipped in \((after - ad.position).clockText)"
        }
        return [text, line]
    }
}

extension Double {
    /// A number of seconds such as `1:02:03`.
    var clockText: String {
        let seconds = Int(Swift.max(0, Swift.min(self, 1e9)))
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
        return hours > 0
            ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
    }
}

extension CastDevice {
    /// `host:port`, an IPv6 address in brackets.
    fileprivate var address: String {
        let host = hosts.first ?? ""
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
