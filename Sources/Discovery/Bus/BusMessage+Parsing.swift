extension BusMessage {
    /// How many bytes the message has that begins with these 16.
    ///
    /// `nil` for one that is too large, or that no bus on this machine sends.
    static func size(ofPrefix prefix: [UInt8]) -> Int? {
        guard prefix.count == prefixSize, prefix.first == UInt8(ascii: "l") else { return nil }
        var reader = BusReader(prefix, at: 4)
        guard let body = reader.unsigned(), reader.unsigned() != nil, let fields = reader.unsigned(),
            body <= maximumSize, fields <= maximumSize
        else { return nil }
        return prefixSize + (Int(fields) + 7) / 8 * 8 + Int(body)
    }

    /// Reads a whole message; `nil` when it is none.
    init?(_ bytes: [UInt8]) {
        guard let size = Self.size(ofPrefix: Array(bytes.prefix(Self.prefixSize))), size == bytes.count else {
            return nil
        }
        var reader = BusReader(bytes, at: 1)
        guard let number = reader.byte(), let kind = Kind(rawValue: number) else { return nil }
        reader = BusReader(bytes, at: 4)
        guard let bodySize = reader.unsigned(), let serial = reader.unsigned(), let fieldSize = reader.unsigned() else {
            return nil
        }
        self.init(kind: kind, serial: serial)
        let end = Self.prefixSize + Int(fieldSize)
        while reader.position < end {
            reader.align(8)
            guard let code = reader.byte(), let type = reader.signature() else { return nil }
            switch (code, type) {
            case (3, "s"), (4, "s"):
                guard let text = reader.string() else { return nil }
                name = text
            case (5, "u"):
                guard let number = reader.unsigned() else { return nil }
                replySerial = number
            case (_, "s"), (_, "o"):
                guard reader.string() != nil else { return nil }
            case (_, "g"):
                guard reader.signature() != nil else { return nil }
            case (_, "u"):
                guard reader.unsigned() != nil else { return nil }
            default: return nil
            }
        }
        guard reader.position == end else { return nil }
        body = Array(bytes.suffix(Int(bodySize)))
    }
}
