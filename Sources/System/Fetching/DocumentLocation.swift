internal import FoundationEssentials
internal import HAPCore

/// The URL of a document in one spelling, so that the HTTP client cannot read another host in it than we do.
package struct DocumentLocation: Sendable, Hashable {
    /// The URL with a scheme and a host in lower case, and without a fragment; printable ASCII.
    package let text: String
    /// The host as in the text: a name, or an address without brackets.
    package let host: String
    /// The address, if the host is one in any form, such as `127.1` or `0x7f000001`.
    package let address: IPAddress?
    /// Whether the scheme is `https`.
    let isSecure: Bool
    let port: Int
    /// The path with the query.
    let target: String

    /// The host and the port, as in the header Host.
    var authority: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    private static let maximumLength = 4_096

    /// Reads a URL.
    ///
    /// - Parameter base: The location to which a relative URL refers, such as one that redirects.
    /// - Throws: ``FetchError/invalidURL(_:)``.
    package init(_ text: String, relativeTo base: DocumentLocation? = nil) throws(FetchError) {
        guard text.utf8.count <= Self.maximumLength else { throw .invalidURL("it is too long") }
        let base = base.flatMap { URL(string: $0.text) }
        guard let url = URL(string: Self.escaped(text), relativeTo: base)?.absoluteURL else {
            throw .invalidURL("it is malformed")
        }
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme) else {
            throw .invalidURL("its scheme is neither http nor https")
        }
        guard url.user == nil, url.password == nil else { throw .invalidURL("it contains a user") }
        isSecure = scheme == "https"
        port = url.port ?? (isSecure ? 443 : 80)
        guard 1...65_535 ~= port else { throw .invalidURL("its port is not between 1 and 65535") }
        (host, address) = try Self.host(url.host(percentEncoded: true) ?? "")
        let path = url.path(percentEncoded: true)
        let query = url.query(percentEncoded: true).map { "?\($0)" } ?? ""
        target = (path.isEmpty ? "/" : path) + query
        let authority = host.contains(":") ? "[\(host)]" : host
        self.text = "\(scheme)://\(authority):\(port)\(target)"
        guard self.text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { throw .invalidURL("it is malformed") }
    }

    /// Replaces spaces, control characters and characters beyond ASCII, which servers and people forget to escape.
    ///
    /// In a host name, they are not valid with an escape either.
    private static func escaped(_ text: String) -> String {
        text.utf8.map { 0x21...0x7E ~= $0 ? "\(UnicodeScalar($0))" : "%\($0.paddedHexadecimal.uppercased())" }.joined()
    }

    private static func host(_ text: String) throws(FetchError) -> (name: String, address: IPAddress?) {
        let name = text.lowercased()
        let inner = name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : name
        if let address = IPAddress(inner) { return (address.text, address) }
        let isName =
            1...253 ~= name.utf8.count
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                default: "-._".utf8.contains(byte)
                }
            }
        guard isName else { throw .invalidURL("its host is neither a name nor an address") }
        return (name, nil)
    }
}
