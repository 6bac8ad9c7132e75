internal import HAPCore

/// The values of a dictionary by their keys, in the order of the file.
///
/// Keys are compared by their bytes.
package struct PropertyListDictionary: Sendable, Hashable {
    /// A value with its key.
    package struct Entry: Sendable, Hashable {
        /// The key, which is unique in its dictionary.
        package let key: String
        /// The value of the key.
        package let value: PropertyList
    }

    /// All entries, in order.
    package private(set) var entries: [Entry] = []
    /// The position of each key; empty while there are few enough entries to search one by one.
    private var positions: [BytewiseText: Int] = [:]

    /// Creates an empty dictionary.
    package init() {}

    /// The value of a key, or `nil` if it is missing.
    package subscript(key: String) -> PropertyList? {
        if positions.isEmpty {
            return entries.first { $0.key.hasSameBytes(as: key) }?.value
        }
        return positions[BytewiseText(key)].map { entries[$0].value }
    }

    /// The object number that this dictionary represents, if any.
    ///
    /// XML has no other form for object numbers, and programs that convert XML to binary do not change it.
    package var uid: UInt64? {
        guard entries.count == 1, case .unsigned(let number)? = self["CF$UID"] else { return nil }
        return number
    }

    /// Adds an entry at the end; returns `false` and changes nothing if the key exists.
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

    /// Returns whether both have the same entries in the same order.
    package static func == (lhs: PropertyListDictionary, rhs: PropertyListDictionary) -> Bool {
        lhs.entries == rhs.entries
    }

    /// Hashes the entries.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(entries)
    }

    private static let linearSearchLimit = 16
}
