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

    /// Creates a dictionary; the first of several equal keys counts.
    package init(_ elements: some Sequence<(String, PropertyList)>) {
        for (key, value) in elements {
            append(value, forKey: key)
        }
    }

    /// The value of a key, or `nil` if it is missing.
    ///
    /// A new key is added at the end, and `nil` removes the key. Removing takes time in proportion to all entries.
    package subscript(key: String) -> PropertyList? {
        get { position(of: key).map { entries[$0].value } }
        set {
            guard let position = position(of: key) else {
                if let newValue { append(newValue, forKey: key) }
                return
            }
            if let newValue {
                entries[position] = Entry(key: entries[position].key, value: newValue)
            } else {
                entries.remove(at: position)
                indexKeys()
            }
        }
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
        if positions.isEmpty {
            indexKeys()
        } else {
            positions[BytewiseText(key)] = entries.count - 1
        }
        return true
    }

    private func position(of key: String) -> Int? {
        if positions.isEmpty {
            return entries.firstIndex { $0.key.hasSameBytes(as: key) }
        }
        return positions[BytewiseText(key)]
    }

    private mutating func indexKeys() {
        positions.removeAll()
        guard entries.count > Self.linearSearchLimit else { return }
        positions = Dictionary(entries.indices.map { (BytewiseText(entries[$0].key), $0) }) { first, _ in first }
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
