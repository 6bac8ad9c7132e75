/// A request `GET /characteristics`.
///
/// HAP: §12
package struct CharacteristicReadRequest: Sendable, Hashable {
    /// The requested characteristics in their order.
    ///
    /// Never empty after parsing; repeated ones are listed once.
    package var addresses: [CharacteristicAddress]
    package var options: ReadOptions

    /// The maximum number of ids in one request, repeated ones included.
    package static let maximumCount = 4096

    package init(_ addresses: [CharacteristicAddress], options: ReadOptions = []) {
        self.addresses = addresses
        self.options = options
    }

    /// Parses the query of a request: percent escapes are decoded, then parameters are read in any order.
    ///
    /// - Throws: `ProtocolError` with code `http` for a missing or empty list, a repeated parameter or an invalid
    ///   number; `tooLarge` for more than ``maximumCount`` characteristics. Unknown parameters are ignored.
    package init(query: [UInt8]) throws(ProtocolError) {
        if query.contains(UInt8(ascii: "%")) {
            try self.init(decoded: try PercentEncoding.decode(query))
        } else {
            try self.init(decoded: query)
        }
    }

    private init(decoded query: [UInt8]) throws(ProtocolError) {
        addresses = []
        options = []
        var seen: ReadOptions = []
        var start = 0
        while start < query.count {
            var nameEnd: Int?
            var end = start
            while end < query.count, query[end] != UInt8(ascii: "&") {
                if nameEnd == nil, query[end] == UInt8(ascii: "=") {
                    nameEnd = end
                }
                end += 1
            }
            let name = query.span.extracting(start..<(nameEnd ?? end))
            let valueStart = min((nameEnd ?? end) + 1, end)
            if name.isEqual(to: "id") {
                guard addresses.isEmpty else { throw Self.malformed("a repeated parameter") }
                addresses = try Self.addresses(query.span.extracting(valueStart..<end))
            } else if let flag = Self.option(named: name) {
                guard seen.insert(flag).inserted else { throw Self.malformed("a repeated parameter") }
                if try Self.boolean(query.span.extracting(valueStart..<end)) {
                    options.insert(flag)
                }
            }
            start = end + 1
        }
        guard !addresses.isEmpty else { throw Self.malformed("no characteristics are named") }
    }

    /// The query of this request.
    package var query: [UInt8] {
        var text: [UInt8] = []
        text.append("id=")
        for (position, address) in addresses.enumerated() {
            if position > 0 {
                text.append(UInt8(ascii: ","))
            }
            text.appendDecimal(address.aid)
            text.append(UInt8(ascii: "."))
            text.appendDecimal(address.iid)
        }
        for (flag, parameter) in Self.parameters where options.contains(flag) {
            text.append(parameter)
        }
        return text
    }
}

extension CharacteristicReadRequest {
    private static let parameters: [(ReadOptions, StaticString)] = [
        (.meta, "&meta=1"), (.perms, "&perms=1"), (.type, "&type=1"), (.ev, "&ev=1"),
    ]

    private static func malformed(_ reason: String) -> ProtocolError {
        ProtocolError(.http, reason, at: "query of a read")
    }

    private static func option(named name: Span<UInt8>) -> ReadOptions? {
        if name.isEqual(to: "meta") {
            .meta
        } else if name.isEqual(to: "perms") {
            .perms
        } else if name.isEqual(to: "type") {
            .type
        } else if name.isEqual(to: "ev") {
            .ev
        } else {
            nil
        }
    }

    private static func boolean(_ value: Span<UInt8>) throws(ProtocolError) -> Bool {
        if value.isEqual(to: "1") || value.isEqual(to: "true") {
            return true
        }
        guard value.isEqual(to: "0") || value.isEqual(to: "false") else {
            throw malformed("a flag that is neither 0 nor 1")
        }
        return false
    }

    private static func addresses(_ list: Span<UInt8>) throws(ProtocolError) -> [CharacteristicAddress] {
        guard !list.isEmpty else { throw malformed("an empty list of characteristics") }
        var addresses: [CharacteristicAddress] = []
        // Most queries have ascending ids. Then no id is repeated, and no search for duplicates is needed.
        var isAscending = true
        var position = 0
        while true {
            guard addresses.count < maximumCount else {
                throw ProtocolError(.tooLarge, "more characteristics than the limit", at: "query of a read")
            }
            let aid = try number(list, &position)
            guard position < list.count, list[position] == UInt8(ascii: ".") else {
                throw malformed("an id is aid.iid")
            }
            position += 1
            let iid = try number(list, &position)
            if let last = addresses.last, (last.aid, last.iid) >= (aid, iid) {
                isAscending = false
            }
            addresses.append(CharacteristicAddress(aid: aid, iid: iid))
            if position == list.count {
                return isAscending ? addresses : deduplicated(addresses)
            }
            guard list[position] == UInt8(ascii: ",") else { throw malformed("ids are divided by commas") }
            position += 1
        }
    }

    /// Returns the addresses without repetitions, each at its first position.
    private static func deduplicated(_ addresses: [CharacteristicAddress]) -> [CharacteristicAddress] {
        var seen: Set<CharacteristicAddress> = []
        seen.reserveCapacity(addresses.count)
        return addresses.filter { seen.insert($0).inserted }
    }

    private static func number(_ text: Span<UInt8>, _ position: inout Int) throws(ProtocolError) -> UInt64 {
        let start = position
        var value: UInt64 = 0
        while position < text.count, let digit = text[position].decimalDigit {
            let (shifted, multiplicationOverflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, additionOverflow) = shifted.addingReportingOverflow(UInt64(digit))
            guard !multiplicationOverflow, !additionOverflow else { throw malformed("a number beyond 64 bits") }
            value = sum
            position += 1
        }
        guard position > start else { throw malformed("an id lacks a number") }
        return value
    }
}

/// The members of an item that a read requests in addition to the value.
///
/// HAP: §12
package struct ReadOptions: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Format, unit and limits.
    package static let meta = ReadOptions(rawValue: 1 << 0)
    /// The permissions.
    package static let perms = ReadOptions(rawValue: 1 << 1)
    /// The type.
    package static let type = ReadOptions(rawValue: 1 << 2)
    /// Whether the connection is subscribed.
    package static let ev = ReadOptions(rawValue: 1 << 3)
}

/// The address of a characteristic as a peer sent it, `aid.iid`, which may not be a valid one.
///
/// HAP: §12
package struct CharacteristicAddress: Sendable, Hashable {
    package var aid: UInt64
    package var iid: UInt64

    package init(aid: UInt64, iid: UInt64) {
        self.aid = aid
        self.iid = iid
    }

    package init(_ id: CharacteristicID) {
        self.init(aid: id.aid.rawValue, iid: id.iid.rawValue)
    }

    /// The id with these numbers; `nil` if one is 0, which no characteristic has.
    package var id: CharacteristicID? {
        CharacteristicID(aid, iid)
    }
}

extension CharacteristicAddress: CustomStringConvertible {
    /// `aid.iid` in decimal.
    package var description: String {
        "\(aid).\(iid)"
    }
}

/// Percent-encoding in the query of a URL.
///
/// [RFC 3986](https://www.rfc-editor.org/rfc/rfc3986#section-2.1)
enum PercentEncoding {
    /// Replaces every `%XX` by its byte.
    ///
    /// - Throws: `ProtocolError` with code `http` for a percent sign that two hexadecimal digits do not follow.
    static func decode(_ text: [UInt8]) throws(ProtocolError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var position = 0
        while position < text.count {
            guard text[position] == UInt8(ascii: "%") else {
                bytes.append(text[position])
                position += 1
                continue
            }
            guard position + 2 < text.count, let high = text[position + 1].hexadecimalDigit,
                let low = text[position + 2].hexadecimalDigit
            else {
                throw ProtocolError(.http, "a percent sign without two digits", at: "query")
            }
            bytes.append(high << 4 | low)
            position += 3
        }
        return bytes
    }
}
