package import HAPCore

/// An entry of a queue, as the sender has described it.
///
/// See `docs/cast.md`.
package struct QueueItem: Sendable, Hashable {
    /// The number that the receiver gave it.
    package let id: Int
    /// All members except `itemId`.
    package let object: JSONObject
    /// The number of bytes of the item, or a few more.
    let byteCount: Int

    init(id: Int, _ object: JSONObject) {
        (self.id, self.object) = (id, object)
        byteCount = object.maximumByteCount
    }

    package var media: MediaInformation { MediaInformation(object.object("media") ?? JSONObject()) }
    var startTime: Double { max(object.number("startTime") ?? 0, 0) }
    /// Whether it plays when it is reached; the default is yes.
    var autoplay: Bool { object.truth("autoplay") ?? true }
    var activeTrackIDs: [Int] { object.integers("activeTrackIds") ?? [] }
    /// The seconds after which the next item begins; `nil` for those of the content.
    var playbackDuration: Double? { object.duration("playbackDuration") }

    /// The item as it is sent.
    package var json: JSONObject {
        var object = object
        object["itemId"] = .integer(id)
        return object
    }
}

/// What follows the last item of a queue.
public enum RepeatMode: String, Sendable, Hashable, CaseIterable {
    case off = "REPEAT_OFF"
    case all = "REPEAT_ALL"
    case single = "REPEAT_SINGLE"
    case shuffle = "REPEAT_ALL_AND_SHUFFLE"
}

/// The items that are played one after the other.
package struct MediaQueue: Sendable, Hashable {
    /// The maximum number of items.
    package static let maximumCount = 500
    /// The maximum number of bytes of all items.
    package static let maximumBytes = 1 << 20
    /// The maximum number of bytes of an item, and of its members.
    private static let (maximumItemBytes, maximumMembers) = (1 << 17, 64)

    package private(set) var items: [QueueItem] = []
    package private(set) var currentID: Int?
    package var repeatMode = RepeatMode.off
    package private(set) var isShuffled = false
    private var lastID = 0
    private var byteCount = 0
    private var random: SeededRandom

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    package var current: QueueItem? { currentID.flatMap { self[$0] } }

    package subscript(id: Int) -> QueueItem? { position(of: id).map { items[$0] } }

    func position(of id: Int) -> Int? { items.firstIndex { $0.id == id } }

    /// Adds items before another one, or at the end, and returns their ids; `nil` if there are too many.
    mutating func insert(_ objects: [JSONObject], before id: Int? = nil) -> [Int]? {
        guard items.count + objects.count <= Self.maximumCount else { return nil }
        let new = objects.enumerated()
            .map { offset, object in
                var object = object.withoutNulls
                object["itemId"] = nil
                return QueueItem(id: lastID + 1 + offset, object)
            }
        let bytes = new.reduce(0) { $0 + $1.byteCount }
        guard byteCount + bytes <= Self.maximumBytes, new.allSatisfy(Self.isShort) else { return nil }
        byteCount += bytes
        lastID += new.count
        items.insert(contentsOf: new, at: id.flatMap { position(of: $0) } ?? items.count)
        return new.map(\.id)
    }

    private static func isShort(_ item: QueueItem) -> Bool {
        item.byteCount <= maximumItemBytes && item.object.members.count <= maximumMembers
    }

    /// Replaces members of items that exist; returns the ids of those that have changed.
    mutating func update(_ objects: [JSONObject]) -> [Int] {
        var changed: [Int] = []
        for object in objects.prefix(Self.maximumCount) where object.members.count <= Self.maximumMembers {
            guard let id = object.integer("itemId"), !changed.contains(id), let position = position(of: id) else {
                continue
            }
            var updated = items[position].object
            for member in object.members where member.key != "itemId" && member.value != .null {
                updated[member.key] = member.value
            }
            let item = QueueItem(id: id, updated)
            let added = item.byteCount - items[position].byteCount
            guard Self.isShort(item), byteCount + added <= Self.maximumBytes else { continue }
            byteCount += added
            items[position] = item
            changed.append(id)
        }
        return changed
    }

    /// Removes items, and returns the ids of those that existed.
    mutating func remove(_ ids: [Int]) -> [Int] {
        let ids = Set(ids)
        let removed = items.filter { ids.contains($0.id) }
        byteCount -= removed.reduce(0) { $0 + $1.byteCount }
        items.removeAll { ids.contains($0.id) }
        return removed.map(\.id)
    }

    /// Moves items, in the order of `ids`, before another one, or to the end.
    mutating func reorder(_ ids: [Int], before id: Int?) {
        var moved: [QueueItem] = []
        for id in ids.prefix(Self.maximumCount) where !moved.contains(where: { $0.id == id }) {
            if let item = self[id] { moved.append(item) }
        }
        items.removeAll { item in moved.contains { $0.id == item.id } }
        items.insert(contentsOf: moved, at: id.flatMap { position(of: $0) } ?? items.count)
    }

    /// Makes an item the current one.
    mutating func select(_ id: Int?) { currentID = id }

    /// Puts the other items in a random order after the current one.
    mutating func shuffle() {
        isShuffled = true
        let first = current
        items.removeAll { $0.id == first?.id }
        items.shuffle(using: &random)
        if let first { items.insert(first, at: 0) }
    }

    mutating func setShuffled(_ isShuffled: Bool) {
        if isShuffled { shuffle() }
        self.isShuffled = isShuffled
    }

    /// Returns the item at a distance from the current one, or `nil` beyond the ends of a queue that does not repeat.
    ///
    /// - Parameter removed: The former position of the current item, if it was removed from the queue.
    mutating func item(at distance: Int, fromRemoved removed: Int? = nil) -> Int? {
        guard !items.isEmpty else { return nil }
        let here = currentID.flatMap { position(of: $0) } ?? (removed.map { $0 - 1 } ?? -1)
        let (target, overflow) = here.addingReportingOverflow(distance)
        guard !overflow else { return nil }
        if items.indices.contains(target) { return items[target].id }
        guard repeatMode == .all || repeatMode == .shuffle else { return nil }
        var place = target
        if repeatMode == .shuffle {
            shuffle()
            // The current item is the first one now.
            place = distance
        }
        let count = items.count
        return items[((place % count) + count) % count].id
    }

    /// Returns whether there is an item before the current one, and after it.
    var neighbors: (isAfterFirst: Bool, isBeforeLast: Bool) {
        guard let id = currentID, let here = position(of: id) else { return (false, false) }
        let repeats = items.count > 1 && (repeatMode == .all || repeatMode == .shuffle)
        return (here > 0 || repeats, here < items.count - 1 || repeats)
    }

    /// The items of a status: the current one and its neighbors.
    var window: [QueueItem] {
        let here = currentID.flatMap { position(of: $0) } ?? 0
        return Array(items[max(here - 1, 0)..<min(here + 2, items.count)])
    }
}
