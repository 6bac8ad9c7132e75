extension TXTRecord {
    /// The bytes on the wire.
    ///
    /// A record without items is one empty string, as DNS has no empty TXT record.
    package var wireBytes: [UInt8] {
        var bytes: [UInt8] = []
        for item in items {
            var string = Array(item.key.utf8)
            if let value = item.value {
                string.append(UInt8(ascii: "="))
                string += value
            }
            let kept = string.prefix(Self.maximumItemLength)
            bytes.append(UInt8(kept.count))
            bytes += kept
        }
        return bytes.isEmpty ? [0] : bytes
    }

    /// Reads a peer's bytes, as far as they make sense.
    ///
    /// Empty strings, strings without a key and repetitions of a key are passed over, a string that runs past the end
    /// and everything beyond ``maximumItemCount`` items is ignored.
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
