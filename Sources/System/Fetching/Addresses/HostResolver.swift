internal import AsyncPrimitives
internal import Dispatch
internal import Glibc

/// Finds the addresses of a host name; none if the name is unknown.
package typealias HostResolver = @Sendable (_ name: String) async throws(FetchError) -> [IPAddress]

/// Asks the system for the addresses of host names, on other threads.
struct SystemResolver: Sendable {
    /// A question cannot be cancelled, and a name server may not answer for a long time.
    private let threads = ConcurrencyLimiter(4, patience: .seconds(60))

    /// Returns the addresses in the order in which they should be tried.
    ///
    /// - Throws: ``FetchError/cancelled``; the question continues in the background then.
    func addresses(of name: String) async throws(FetchError) -> [IPAddress] {
        guard await threads.acquire() else {
            throw Task.isCancelled ? .cancelled : .unreachable("the name servers do not answer")
        }
        let found = OneShot<[IPAddress]>()
        DispatchQueue.global()
            .async { [threads] in
                found.set(Self.lookUp(name))
                threads.release()
            }
        guard let addresses = await found.waitUnlessCancelled() else { throw .cancelled }
        return addresses
    }

    private static func lookUp(_ name: String) -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        return sequence(first: list, next: { $0?.pointee.ai_next })
            .compactMap { $0.flatMap { address(of: $0.pointee) } }
    }

    private static func address(of entry: addrinfo) -> IPAddress? {
        guard let address = UnsafeRawPointer(entry.ai_addr) else { return nil }
        switch entry.ai_family {
        case AF_INET:
            let four = address.loadUnaligned(as: sockaddr_in.self).sin_addr
            return IPAddress(withUnsafeBytes(of: four) { Array($0) })
        case AF_INET6:
            let sixteen = address.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            return IPAddress(withUnsafeBytes(of: sixteen) { Array($0) })
        default: return nil
        }
    }
}
