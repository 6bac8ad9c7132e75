internal import HAPCore

/// The values of a property list's dictionary by their keys, in the order in which they are written.
///
/// Two keys are the same when their bytes are.
package struct PropertyListDictionary: Sendable, Hashable {
    /// A value with its key.
    package struct Entry: Sendable, Hashable {
        /// Unique in its dictionary.
        package let key: String
        /// What stands there.
        package let value: PropertyList
    }

    /// All of them, in order.
    package private(set) var entries: [Entry] = []
    /// Where each key stands, as soon as there are too many to look through.
    private var positions: [BytewiseText: Int] = [:]

    /// Creates an empty dictionary.
    package init() {}

    /// The value of a key, `nil` when there is none.
    package subscript(key: String) -> PropertyList? {
        if positions.isEmpty {
            return entries.first { $0.key.hasSameBytes(as: key) }?.value
        }
        return positions[BytewiseText(key)].map { entries[$0].value }
    }

    /// The number of an object of a keyed archive, where this stands for one: XML has nothing else for it, and what
    /// converts XML to binary leaves it so.
    package var uid: UInt64? {
        guard entries.count == 1, case .unsigned(let number)? = self["CF$UID"] else { return nil }
        return number
    }

    /// Adds a value behind all others; answers `false`, and adds nothing, when the key is there already.
    @discardableResult
    package mutating func append(_ value: PropertyList, forKey key: String) -> Bool {
        guard self[key] == nil else { return false }
        entries.append(Entry(key: key, value: value))
        if !positions.isEmpty {
            positions[BytewiseText(key)] = entries.count - 1
        } else if entries.count > Self.linearSearchLimit {
            positions = Dictionary(entries.indices.map { (BytewiseText(entries[$0].key), $0) }) { first, _ in first }
        }
        return true
    }

    /// Equal with the same entries in the same order.
    package static func == (lhs: PropertyListDictionary, rhs: PropertyListDictionary) -> Bool {
        lhs.entries == rhs.entries
    }

    /// Feeds the entries.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(entries)
    }

    private static let linearSearchLimit = 16
}
