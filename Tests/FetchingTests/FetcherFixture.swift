import AsyncPrimitives
import NIOSSL
import TestSupport

@testable import Fetching

/// A fetcher with name servers of the test.
struct FetcherFixture {
    let fetcher: DocumentFetcher
    /// Of questions for names.
    let questions = Counter()

    /// - Parameter names: The addresses of a name at each question; the last ones are repeated.
    init(
        _ configuration: DocumentFetcher.Configuration = .allowingPrivateAddresses,
        names: [String: [[IPAddress]]] = [:]
    ) {
        fetcher = DocumentFetcher(configuration) { [questions] name in
            let number = questions.next()
            return names[name].map { $0[min(number, $0.count) - 1] } ?? []
        }
    }

    /// Returns the bytes of a document, or the error.
    func fetch(_ url: String) async -> Result<[UInt8], FetchError> {
        await Result { () async throws(FetchError) in try await fetcher.fetch(url).bytes }
    }
}

extension DocumentFetcher.Configuration {
    static var allowingPrivateAddresses: Self {
        Self().with { $0.allowsPrivateAddresses = true }
    }

    /// Only this address may be used, and those of the public Internet.
    static func exempting(_ address: IPAddress) -> Self {
        Self().with { $0.exemptAddresses = [address] }
    }

    func with(_ change: (inout Self) -> Void) -> Self {
        var changed = self
        change(&changed)
        return changed
    }
}
