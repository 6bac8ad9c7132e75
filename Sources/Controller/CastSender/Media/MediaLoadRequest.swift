internal import Cast
internal import HAPCore

/// What is to be loaded: one content, or a queue of them.
public struct MediaLoadRequest: Sendable, Hashable {
    /// At least one item.
    public var items: [MediaQueueItem]
    /// The position in ``items`` of the first one to play, from 0.
    public var startIndex = 0
    /// Whether it plays when it is ready; `nil` for the usual: yes.
    public var autoplay: Bool?
    /// The second at which it begins; `nil` for that of the item.
    public var startTime: Double?
    /// The rate, from 0.5 to 2; `nil` for 1.
    public var rate: Double?
    /// What follows the last item; `nil` for the usual: nothing.
    public var repeatMode: RepeatMode?
    /// The ids of the tracks, such as subtitles, that are active at first.
    public var activeTrackIDs: [Int]?

    /// Creates a request for one content.
    public init(_ media: MediaInformation) { items = [MediaQueueItem(media)] }

    /// Creates a request for a queue of at least one item.
    public init(queue items: [MediaQueueItem], startIndex: Int = 0, repeatMode: RepeatMode = .off) {
        (self.items, self.startIndex, self.repeatMode) = (items, startIndex, repeatMode)
    }

    var request: MediaRequest {
        var request = MediaRequest.LoadRequest(items: items.map(\.newObject))
        (request.start, request.autoplay, request.position) = (startIndex, autoplay, startTime)
        (request.rate, request.repeatMode, request.activeTrackIDs) = (rate, repeatMode, activeTrackIDs)
        return .load(request)
    }
}
