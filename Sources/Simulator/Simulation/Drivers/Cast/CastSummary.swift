internal import AccessoryModel
internal import Cast
internal import HAPCore

/// What a receiver does, in the words of its announcement.
package struct CastSummary: Sendable, Hashable {
    package let isRunning: Bool
    /// The title of the content, or the name of the app; empty without one.
    package let statusText: String

    package init() {
        (isRunning, statusText) = (false, "")
    }

    init(of receiver: CastReceiver) {
        (isRunning, statusText) = (receiver.running != nil, receiver.statusText)
    }

    /// The size for which a picture is chosen: that of a tile.
    private static let pictureSize = CastImage.Size(width: 480, height: 270)

    /// Returns what no characteristic shows.
    func readings(of receiver: CastReceiver, at now: MonotonicInstant) -> [DeviceReading] {
        guard let running = receiver.running else { return [DeviceReading("app", text: "")] }
        var readings = [DeviceReading("app", text: running.app.name)]
        guard let media = running.media else { return readings }
        readings.append(DeviceReading("player", text: media.isLoading ? "LOADING" : media.state.rawValue))
        readings.append(DeviceReading("title", text: media.media.title ?? media.media.contentID))
        if let image = media.media.images.best(for: Self.pictureSize) {
            readings.append(DeviceReading("image", text: image.url))
        }
        readings.append(DeviceReading("position", media.position(at: now).rounded(), unit: "s"))
        if let duration = media.media.duration { readings.append(DeviceReading("duration", duration, unit: "s")) }
        readings.append(DeviceReading("rate", media.rate, unit: ""))
        if let ad = media.adStatus(at: now) {
            readings.append(DeviceReading("ad", text: ad.clip.title ?? ad.clip.id))
            readings.append(DeviceReading("adPosition", ad.clipTime.rounded(), unit: "s"))
        }
        return readings
    }
}
