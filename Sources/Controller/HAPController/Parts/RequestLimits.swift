internal import AccessoryModel
internal import HAPCore

/// The largest requests that an accessory is known to answer.
///
/// Some devices do not answer a request of 1,024 bytes or more, and some fail every item of a read of more than 49
/// characteristics, so larger requests are sent only to an accessory that has answered one. The limits shrink if the
/// accessory fails nevertheless.
struct RequestLimits: Hashable {
    /// The maximum size of a request with several items, in bytes, including its head.
    private(set) var byteCount = Self.usualByteCount
    /// The maximum number of characteristics in one read.
    private(set) var readCount = 49

    private static let usualByteCount = 1_023
    /// The size of a request that any device answers.
    private static let smallByteCount = 256

    /// Records that the accessory has answered a request.
    mutating func didAnswer(_ part: RequestPart) {
        byteCount = max(byteCount, part.byteCount)
    }

    /// Reduces the number of characteristics in a read after one of which all items were refused for lack of resources.
    ///
    /// - Returns: Whether the items can be read in smaller parts.
    mutating func readWasRefused(_ part: RequestPart) -> Bool {
        guard part.itemCount > 1 else { return false }
        readCount = min(readCount, part.itemCount / 2)
        return true
    }

    /// Reduces the size of requests after one that the accessory found too large, or did not answer.
    ///
    /// If it does not answer a small request either, its size is not the reason, and the usual size is restored.
    ///
    /// - Returns: Whether the items can be sent in smaller parts.
    mutating func requestFailed(_ part: RequestPart) -> Bool {
        guard part.itemCount > 1, part.byteCount > Self.smallByteCount else {
            if part.byteCount <= Self.smallByteCount { byteCount = max(byteCount, Self.usualByteCount) }
            return false
        }
        byteCount = Self.smallByteCount
        return true
    }
}

/// The first items of a list that fit into one request.
struct RequestPart {
    var itemCount = 0
    /// The size of the request, in bytes.
    var byteCount: Int

    /// Measures a read.
    init(reading ids: some Collection<CharacteristicID>, host: String, within limits: RequestLimits) {
        self.init(Self.emptyRead, host: host)
        for id in ids.prefix(limits.readCount) where !append(id.description.utf8.count + 1, within: limits) { break }
    }

    /// Measures a write; the writes to one accessory stay together if they fit into one request.
    init(writing items: ArraySlice<CharacteristicWriteItem>, isTimed: Bool, host: String, within limits: RequestLimits)
    {
        self.init(isTimed ? Self.emptyTimedWrite : Self.emptyWrite, host: host)
        var complete = self
        var rest = items.prefix(CharacteristicWriteRequest.maximumValueCount)
        while let aid = rest.first?.address.aid {
            for item in rest.prefix(while: { $0.address.aid == aid }) {
                guard append(item.byteCount + 1, within: limits) else {
                    if complete.itemCount > 0 { self = complete }
                    return
                }
            }
            rest = rest.drop { $0.address.aid == aid }
            complete = self
        }
    }

    /// Measures a subscription to characteristics of the first accessory.
    init(subscribing items: ArraySlice<CharacteristicWriteItem>, host: String, within limits: RequestLimits) {
        let aid = items.first?.address.aid
        self.init(
            writing: items.prefix { $0.address.aid == aid },
            isTimed: false,
            host: host,
            within: limits
        )
    }

    /// Measures a request without items.
    private init(_ empty: HTTPRequest, host: String) {
        var bytes: [UInt8] = []
        empty.append(to: &bytes, host: host)
        byteCount = bytes.count
    }

    /// Adds an item if it is the first one or fits; returns whether it was added.
    private mutating func append(_ size: Int, within limits: RequestLimits) -> Bool {
        guard itemCount == 0 || byteCount + size <= limits.byteCount else { return false }
        itemCount += 1
        byteCount += size
        return true
    }

    private static let emptyRead = HTTPRequest(.get, .characteristics, query: CharacteristicReadRequest([]).query)
    private static let emptyWrite = emptyWrite(pid: nil)
    private static let emptyTimedWrite = emptyWrite(pid: 1 << 53)

    private static func emptyWrite(pid: UInt64?) -> HTTPRequest {
        // Its Content-Length has two digits; that of a larger request can have four.
        HTTPRequest(.put, .characteristics, body: CharacteristicWriteRequest([], pid: pid).body + [0, 0])
    }
}
