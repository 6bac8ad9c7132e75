internal import HAPCore

/// The text that a service carries: keys and values in a fixed order.
///
/// On the wire, every item is a string `key=value` of at most 255 bytes, preceded by its length.
///
/// HAP: §2
/// [RFC 6763 §6](https://www.rfc-editor.org/rfc/rfc6763#section-6)
package struct TXTRecord: Sendable, Hashable {
    /// One key with its value.
    package struct Item: Sendable, Hashable {
        /// The key, in the case in which it was written.
        package var key: String
        /// The value; `nil` for a key without `=`.
        package var value: [UInt8]?

        /// Creates an item.
        package init(key: String, value: [UInt8]?) {
            self.key = key
            self.value = value
        }
    }

    /// The items in the order of the wire.
    package internal(set) var items: [Item] = []

    /// The longest `key=value` in bytes.
    package static let maximumItemLength = 255
    /// The maximum number of items that are read from a peer's record.
    package static let maximumItemCount = 64

    /// Creates a record without items.
    package init() {}

    /// The value of a key as text, ignoring the case of the key; `nil` if the key or its value is absent.
    package subscript(key: String) -> String? {
        let wanted = key.lowercased()
        return items.first { $0.key.lowercased() == wanted }?.value.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Appends an item; a value that is too long is cut between two characters.
    ///
    /// The key is a caller's constant: 1 to 32 printable ASCII characters other than `=`. DNS-SD asks for at most 9, but
    /// AirPlay has longer ones.
    package mutating func append(_ key: String, _ value: String) {
        precondition(
            (1...32).contains(key.utf8.count) && key.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x3D },
            "a key of a TXT record has 1 to 32 printable ASCII characters other than ="
        )
        let room = Self.maximumItemLength - key.utf8.count - 1
        items.append(Item(key: key, value: Array(value.prefix(utf8Bytes: room).utf8)))
    }
}

extension TXTRecord {
    /// The bytes on the wire.
    ///
    /// A record without items is encoded as one empty string, because DNS has no empty TXT records.
    package var wireBytes: [UInt8] {
        var bytes: [UInt8] = []
        for item in items {
            var string = Array(item.key.utf8)
            if let value = item.value {
                string.append(UInt8(ascii: "="))
                string += value
            }
            let stored = string.prefix(Self.maximumItemLength)
            bytes.append(UInt8(stored.count))
            bytes += stored
        }
        return bytes.isEmpty ? [0] : bytes
    }

    /// Parses a peer's bytes, and ignores invalid parts.
    ///
    /// These parts are ignored: empty strings, strings without a key, repetitions of a key, a string that runs past the
    /// end, and everything beyond ``maximumItemCount`` items.
    package init(wireBytes: some Sequence<UInt8>) {
        var iterator = wireBytes.makeIterator()
        var seen: Set<String> = []
        while items.count < Self.maximumItemCount, let length = iterator.next() {
            var string: [UInt8] = []
            string.reserveCapacity(Int(length))
            for _ in 0..<length {
                guard let byte = iterator.next() else { return }
                string.append(byte)
            }
            let parts = string.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = parts.first, !first.isEmpty else { continue }
            let key = String(decoding: first, as: UTF8.self)
            guard seen.insert(key.lowercased()).inserted else { continue }
            items.append(Item(key: key, value: parts.count > 1 ? Array(parts[1]) : nil))
        }
    }
}
