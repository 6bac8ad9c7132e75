import AsyncPrimitives
import Dispatch
import Glibc
import HAPController

extension AccessoryEndpoint {
    /// The maximum number of addresses of one name that are tried.
    static let maximumAddresses = 8

    /// Returns the addresses of the host as text with their zones, or `nil` if there is no answer within the time
    /// limit.
    func resolve(within seconds: Int) async -> [String]? {
        let found = OneShot<[String]?>()
        // The system call cannot be canceled. If it takes too long, it continues in the background.
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
