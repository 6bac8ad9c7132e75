import AsyncPrimitives
import Dispatch
import Glibc
import HAPController

extension AccessoryEndpoint {
    /// The number of addresses of one name that are tried.
    static let maximumAddresses = 8

    /// Reads `HOST:PORT`, or `[ADDRESS]:PORT` for IPv6; `nil` for anything else.
    init?(argument text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || $0 == "\0" }) else { return nil }
        self.init(host: String(host), port: port)
    }

    /// The addresses of the host as text, with their zones; `nil` when nothing answers within the time.
    func resolve(within seconds: Int) async -> [String]? {
        let found = OneShot<[String]?>()
        // The call cannot be ended; it is left to itself when it takes too long.
        DispatchQueue.global().async { found.set(Self.addresses(of: host)) }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { found.set(nil) }
        return await found.wait()
    }

    private static func addresses(of host: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        var next = list
        while let entry = next?.pointee, addresses.count < maximumAddresses {
            next = entry.ai_next
            guard let address = entry.ai_addr, let text = NumericAddress.text(of: address, withZone: true) else {
                continue
            }
            addresses.append(text)
        }
        return addresses
    }
}
