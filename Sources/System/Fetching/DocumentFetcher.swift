internal import AsyncPrimitives
internal import NIOCore
internal import NIOHTTP1
package import NIOSSL

/// Loads documents over HTTP from addresses that have passed the guard.
///
/// ```swift
/// var configuration = DocumentFetcher.Configuration()
/// configuration.maximumBytes = 100_000
/// let playlist = try await DocumentFetcher(configuration).fetch("https://example.com/film.m3u8")
/// parse(playlist.bytes, at: playlist.url)
/// ```
///
/// A name is looked up once for each request, and the connection goes to an address that was checked. All addresses of a
/// name must be allowed. At most three redirects are followed, with the same checks.
package struct DocumentFetcher: Sendable {
    /// What may be fetched.
    package struct Configuration: Sendable {
        /// The size of a document in bytes.
        package var maximumBytes = 1_000_000
        /// The time for a document: to look up names, to connect, to follow redirects, and to load it.
        package var timeLimit = Duration.seconds(10)
        /// Whether documents may come from addresses that are not of the public Internet, such as those of this machine
        /// and of the local network.
        ///
        /// If a stranger chooses the URL, the stranger could otherwise reach devices and services that accept requests
        /// only from here.
        package var allowsPrivateAddresses = false
        /// Addresses that are not refused, for tests.
        package var exemptAddresses: Set<IPAddress> = []
        /// The media types that the server is asked for, as in the header `Accept`.
        package var accept = "*/*"
        /// Returns whether a document with this header `Content-Type` is loaded.
        ///
        /// The type is in lower case, perhaps with parameters, and empty if the server does not say it.
        package var acceptsType: @Sendable (_ type: String) -> Bool = { _ in true }
        /// How certificates are checked.
        package var tls = TLSConfiguration.makeClientConfiguration()

        /// Creates the usual limits.
        package init() {}
    }

    /// A document as its server has sent it.
    package struct Document: Sendable {
        /// The content.
        package let bytes: [UInt8]
        /// The header `Content-Type`, such as `image/png`; `nil` if the server does not say it.
        package let contentType: String?
        /// The URL of the document, perhaps after redirects, to which its relative URLs refer.
        package let url: String
        /// How long it may be used again.
        package let rules: CachingRules
    }

    /// A document that the caller has, with what its server has said about it.
    package struct Validator: Sendable {
        /// The tag of the document, from its ``CachingRules/etag``.
        package let etag: String
        /// The URL of the document, because another server may use the same tag for something else.
        package let url: String

        /// Creates a validator.
        package init(etag: String, url: String) {
            (self.etag, self.url) = (etag, url)
        }
    }

    /// The answer to the question whether a document has changed.
    package enum Answer: Sendable {
        /// It has changed, or the caller had none.
        case document(Document)
        /// It has not changed, and these rules apply from now on.
        case unchanged(CachingRules)
    }

    private enum Step {
        case answer(Answer)
        case redirect(DocumentLocation)
    }

    /// What may be fetched.
    package var configuration: Configuration
    /// Finds the addresses of host names.
    package var resolve: HostResolver

    private static let maximumRedirects = 3
    private static let maximumAddresses = 4
    /// The time for one address, so that there is some left for the next one.
    private static let connectLimit = Duration.seconds(3)

    /// Creates a fetcher that asks the system for the addresses of names.
    package init(_ configuration: Configuration = Configuration()) {
        let resolver = SystemResolver()
        self.init(configuration) { name async throws(FetchError) in try await resolver.addresses(of: name) }
    }

    /// Creates a fetcher with its own name servers, for tests.
    package init(_ configuration: Configuration, resolve: @escaping HostResolver) {
        self.configuration = configuration
        self.resolve = resolve
    }

    /// Loads a document.
    package func fetch(_ url: String) async throws(FetchError) -> Document {
        switch try await fetch(DocumentLocation(url), unless: nil) {
        case .document(let document): return document
        case .unchanged: throw .status(304)
        }
    }

    /// Loads a document, or finds out that it has not changed.
    package func fetch(
        _ location: DocumentLocation,
        unless validator: Validator?
    ) async throws(FetchError) -> Answer {
        let limit = configuration.timeLimit
        let result = await withTimeLimit(limit) { () -> Result<Answer, FetchError> in
            let end = ContinuousClock.now.advanced(by: limit)
            return await Result { () async throws(FetchError) in try await follow(location, validator, until: end) }
        }
        guard let result else { throw Task.isCancelled ? .cancelled : .timedOut(limit) }
        return try result.get()
    }

    private func follow(
        _ start: DocumentLocation,
        _ validator: Validator?,
        until end: ContinuousClock.Instant
    ) async throws(FetchError) -> Answer {
        var location = start
        for _ in 0...Self.maximumRedirects {
            switch try await take(location, validator, until: end) {
            case .answer(let answer): return answer
            case .redirect(let target): location = target
            }
        }
        throw .tooManyRedirects(limit: Self.maximumRedirects)
    }

    /// Sends one request to the first address of the host that answers.
    private func take(
        _ location: DocumentLocation,
        _ validator: Validator?,
        until end: ContinuousClock.Instant
    ) async throws(FetchError) -> Step {
        var failure = FetchError.unreachable("the host name is unknown")
        for address in try await checkedAddresses(of: location).prefix(Self.maximumAddresses) {
            let limit = min(ContinuousClock.now.duration(to: end), Self.connectLimit)
            do {
                return try await request(location, at: address, validator, connectLimit: limit)
            } catch let error as FetchError {
                guard case .unreachable = error else { throw error }
                failure = error
            } catch {
                if Task.isCancelled { throw .cancelled }
                if ContinuousClock.now >= end { throw .timedOut(configuration.timeLimit) }
                failure = .unreachable(reason(error))
            }
        }
        throw failure
    }

    /// Returns the addresses of a host, if all of them may be used.
    private func checkedAddresses(of location: DocumentLocation) async throws(FetchError) -> [IPAddress] {
        let addresses: [IPAddress] =
            if let address = location.address { [address] } else { try await resolve(location.host) }
        for address in addresses
        where !configuration.allowsPrivateAddresses && !configuration.exemptAddresses.contains(address) {
            guard AddressGuard.isPublic(address.bytes) else { throw .refusedAddress(address.text) }
        }
        return addresses
    }

    private func request(
        _ location: DocumentLocation,
        at address: IPAddress,
        _ validator: Validator?,
        connectLimit: Duration
    ) async throws -> Step {
        var headers: HTTPHeaders = ["accept": configuration.accept, "user-agent": "swift-hap"]
        let etag = validator.flatMap { $0.url == location.text ? $0.etag : nil }
        if let etag { headers.add(name: "if-none-match", value: etag) }
        var tls = configuration.tls
        // The connection is not used again, so nothing is lost if the peer does not end it properly.
        tls.shutdownTimeout = .milliseconds(100)
        let exchange = HTTPExchange(
            location: location,
            address: address,
            headers: headers,
            maximumBytes: configuration.maximumBytes
        ) { [configuration] headers in
            let type = headers.first(name: "content-type")
            return configuration.acceptsType(type?.lowercased() ?? "") ? nil : .refusedType(type)
        }
        let response = try await exchange.perform(tls: tls, connectLimit: connectLimit)
        switch response.status {
        case 200:
            let document = Document(
                bytes: response.body,
                contentType: response.headers.first(name: "content-type"),
                url: location.text,
                rules: CachingRules(response.headers)
            )
            return .answer(.document(document))
        case 304 where etag != nil: return .answer(.unchanged(CachingRules(response.headers)))
        case 301, 302, 303, 307, 308:
            guard let target = response.headers.first(name: "location") else { fallthrough }
            return .redirect(try DocumentLocation(target, relativeTo: location))
        default: throw FetchError.status(response.status)
        }
    }

    private func reason(_ error: any Error) -> String {
        switch error {
        case ChannelError.connectTimeout: "there is no answer"
        case HTTPParserError.invalidEOFState: "the connection has ended"
        default: "\(error)"
        }
    }
}
