import Dispatch
import Glibc
import HAPController
import Synchronization

/// An accessory's place as it is written: `HOST:PORT`, or `[ADDRESS]:PORT` for IPv6.
struct RemoteTarget: Sendable, Hashable {
    /// The number of addresses of one name that are tried.
    static let maximumAddresses = 8

    let host: String
    let port: UInt16

    /// Reads the text; `nil` for anything else.
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
            return nil
        }
        let host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            self.host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            return nil
        } else {
            self.host = String(host)
        }
        guard !self.host.isEmpty, !self.host.contains(where: { $0.isWhitespace || $0 == "\0" }) else { return nil }
        self.port = port
    }

    /// Takes a place.
    init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// The addresses of the host as text, with their zones; `nil` when nothing answers within the time.
    func resolve(within seconds: Int) -> [String]? {
        let inbox = ResolvedAddresses()
        // The call cannot be ended; it is left to itself when it takes too long.
        DispatchQueue.global()
            .async {
                inbox.put(Self.addresses(of: host))
            }
        return inbox.wait(seconds: seconds)
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

extension RemoteTarget: CustomStringConvertible {
    var description: String {
        AccessoryPlace(host: host, port: port).description
    }
}

/// Where a look-up leaves what it found, for as long as somebody waits.
final class ResolvedAddresses: Sendable {
    private let found = Mutex<[String]?>(nil)
    private let semaphore = DispatchSemaphore(value: 0)

    func put(_ addresses: [String]) {
        found.withLock { $0 = addresses }
        semaphore.signal()
    }

    func wait(seconds: Int) -> [String]? {
        _ = semaphore.wait(timeout: .now() + .seconds(seconds))
        return found.withLock { $0 }
    }
}
