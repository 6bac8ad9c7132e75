/// Where the console answers over TCP.
package enum ConsoleAddress: Sendable, Hashable {
    /// Nowhere; the Unix socket in the state folder remains.
    case off
    /// On 127.0.0.1, on port 8181 or the next free one.
    case automatic
    /// On an address and a port only.
    case fixed(host: String, port: UInt16)

    /// How to write an address, as the end of a sentence.
    package static let help = "write off, or an address and a port such as 127.0.0.1:8181"

    /// Parses `off`, `auto`, `ADDR:PORT` or `[ADDR]:PORT`.
    package init?(_ text: String) {
        switch text {
        case "off", "false": self = .off
        case "auto": self = .automatic
        default:
            guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
                return nil
            }
            var host = text[..<colon]
            if host.first == "[", host.last == "]" { host = host.dropFirst().dropLast() }
            guard !host.isEmpty, host.allSatisfy({ $0.isHexDigit || $0 == "." || $0 == ":" }) || host == "localhost"
            else { return nil }
            self = .fixed(host: host == "localhost" ? "127.0.0.1" : String(host), port: port)
        }
    }
}
