/// One service as `avahi-browse` resolved it.
package struct BrowsedService: Sendable, Hashable {
    package let name: String
    package let address: String
    package let port: UInt16
    /// The keys of the TXT record with their values.
    package let txtRecord: [String: String]

    /// Reads a line such as `=;lo;IPv4;Kilgo\032Garage;_hap._tcp;local;a.local;127.0.0.1;51826;"sf=1" "ff=0"`.
    init?(line: some StringProtocol) {
        let fields = line.split(separator: ";", maxSplits: 9, omittingEmptySubsequences: false).map { String($0) }
        guard fields.count == 10, fields[0] == "=", let port = UInt16(fields[8]) else { return nil }
        name = Self.unescaped(fields[3])
        address = fields[7]
        self.port = port
        let items = fields[9].dropFirst().dropLast().split(separator: "\" \"")
            .compactMap { item in
                item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
            }
        txtRecord = Dictionary(
            items.compactMap { $0.count == 2 ? ($0[0], $0[1]) : nil },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Undoes `\032`, the decimal number of a byte.
    private static func unescaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), let value = UInt8(String(decoding: digits, as: UTF8.self)), digits.count == 3
            {
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
