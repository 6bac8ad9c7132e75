/// The size limit of one response or event, applied before anything is composed.
///
/// A response or an event has at most ``maximumBytes``, or one value that is larger. An item that does not fit has the
/// status −70407 in place of its value.
///
/// HAP: §12, §13, §14, §15
package struct ResponseBudget: Sendable {
    /// The most bytes of a body with several values.
    package static let maximumBytes = 1 << 20
    /// The most bytes of the JSON of one value: 2 MiB in Base64, with room to spare.
    ///
    /// HAP: §11.4 (maxDataLen)
    package static let maximumValueBytes = 3 << 20
    /// The size of a value for which there is always room in an answer to a read of it alone, in bytes.
    package static let smallSize = 16 << 10
    /// The most bytes of an item without its value, with what encloses all items.
    package static let itemBytes = 96

    private var remaining: Int
    /// The most bytes of the first value.
    private var largest: Int

    /// Begins with room for a number of items without values.
    ///
    /// - Parameter availableBytes: What other connections have left over.
    package init(itemCount: Int, availableBytes: Int = .max) {
        let items = (itemCount + 1) * Self.itemBytes
        remaining = min(Self.maximumBytes, availableBytes) - items
        largest = max(0, min(Self.maximumValueBytes + items, availableBytes) - items)
    }

    /// Takes room for an item for which there was no room from the beginning, with a value of at most this many bytes;
    /// `false`, and takes nothing, when there is none.
    package mutating func takeItem(_ bytes: Int) -> Bool {
        guard bytes <= largest || bytes + Self.itemBytes <= remaining else { return false }
        remaining -= bytes + Self.itemBytes
        largest = 0
        return true
    }

    /// Takes room for a value of at most this many bytes; `false`, and takes nothing, when there is none.
    package mutating func take(_ bytes: Int) -> Bool {
        guard bytes <= max(remaining, largest) else { return false }
        remaining -= bytes
        // The first value may be larger than all the rest could be together.
        largest = 0
        return true
    }
}
