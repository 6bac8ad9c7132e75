import Fetching
import HTTPTestSupport
import NIOHTTP1
import Testing

/// What a document is, and what is refused.
@Suite(.timeLimit(.minutes(1)))
struct DocumentFetcherTests {
    @Test
    func documentHasItsTypeAndTheURLAfterRedirects() async throws {
        try await TestHTTPServer.run { request, _ in
            request.uri == "/a/b"
                ? .redirect(to: "../film.m3u8?x=1")
                : .document(Array("#EXTM3U".utf8), type: "Application/X-MPEGURL; charset=utf-8")
        } body: { server in
            let fixture = FetcherFixture()
            let document = try await fixture.fetcher.fetch("HTTP://127.0.0.1:\(server.port)/a/b#here")
            #expect(document.bytes == Array("#EXTM3U".utf8))
            #expect(document.contentType == "Application/X-MPEGURL; charset=utf-8")
            #expect(document.url == "http://127.0.0.1:\(server.port)/film.m3u8?x=1")
            #expect(server.values(of: "Accept") == ["*/*", "*/*"])
        }
    }

    @Test
    func threeRedirectsAreFollowed() async throws {
        try await TestHTTPServer.run { request, _ in
            let number = Int(request.uri.dropFirst()) ?? 0
            return number == 0 ? .document([7]) : .redirect(to: "/\(number - 1)")
        } body: { server in
            let fixture = FetcherFixture()
            let start = "http://127.0.0.1:\(server.port)"
            #expect(await fixture.fetch(start + "/3") == .success([7]))
            #expect(await fixture.fetch(start + "/4") == .failure(.tooManyRedirects(limit: 3)))
            #expect(server.requests.map(\.uri) == ["/3", "/2", "/1", "/0", "/4", "/3", "/2", "/1"])
        }
    }

    @Test
    func tagIsSentToItsURLOnly() async throws {
        try await TestHTTPServer.run { request, _ in
            switch request.headers.first(name: "If-None-Match") {
            case "\"1\"": .status(304, ("ETag", "\"2\""), ("Cache-Control", "max-age=5"))
            default: request.uri == "/start" ? .redirect(to: "/end") : .document([1], [("ETag", "\"1\"")])
            }
        } body: { server in
            let fetcher = FetcherFixture().fetcher
            let location = try DocumentLocation("http://127.0.0.1:\(server.port)/start")
            guard case .document(let document) = try await fetcher.fetch(location, unless: nil) else {
                Issue.record("there is no document")
                return
            }
            let tag = try #require(document.rules.etag)
            let validator = DocumentFetcher.Validator(etag: tag, url: document.url)
            guard case .unchanged(let rules) = try await fetcher.fetch(location, unless: validator) else {
                Issue.record("the document has changed")
                return
            }
            #expect(tag == "\"1\"" && rules.etag == "\"2\"" && rules.lifetime == 5)
            #expect(server.values(of: "If-None-Match") == [nil, nil, nil, "\"1\""])
        }
    }

    @Test
    func documentOfAnotherTypeIsNotLoaded() async throws {
        try await TestHTTPServer.run { request, _ in
            switch request.uri {
            case "/right": .document([1], type: "Audio/MPEGURL; a=b")
            case "/none": .document([2])
            // The body never ends.
            default: .init(type: "text/HTML", body: [3], length: 1_000_000, staysOpen: true)
            }
        } body: { server in
            let fixture = FetcherFixture(
                .allowingPrivateAddresses.with {
                    $0.accept = "audio/mpegurl"
                    $0.acceptsType = { $0.hasPrefix("audio/mpegurl") }
                }
            )
            let start = "http://127.0.0.1:\(server.port)"
            #expect(await fixture.fetch(start + "/right") == .success([1]))
            #expect(await fixture.fetch(start + "/none") == .failure(.refusedType(nil)))
            #expect(await fixture.fetch(start + "/other") == .failure(.refusedType("text/HTML")))
            #expect(server.values(of: "Accept") == Array(repeating: "audio/mpegurl", count: 3))
        }
    }

    /// After it, another protocol follows, which is not read.
    @Test
    func aSwitchOfTheProtocolEndsTheRequest() async throws {
        try await TestHTTPServer.run { _, _ in
            .init(101, length: nil, staysOpen: true)
        } body: { server in
            let fixture = FetcherFixture(.allowingPrivateAddresses)
            #expect(await fixture.fetch("http://127.0.0.1:\(server.port)/") == .failure(.status(101)))
        }
    }

    @Test
    func bytesAndTimeAreLimited() async throws {
        try await TestHTTPServer.run { request, _ in
            request.uri == "/slow"
                ? .init(body: [1], length: 9, staysOpen: true)
                : .init(body: Array(repeating: 1, count: 11), length: nil)
        } body: { server in
            let limit = Duration.milliseconds(50)
            let start = "http://127.0.0.1:\(server.port)"
            let small = FetcherFixture(.allowingPrivateAddresses.with { $0.maximumBytes = 10 })
            #expect(await small.fetch(start) == .failure(.tooLarge(limit: 10)))
            let quick = FetcherFixture(.allowingPrivateAddresses.with { $0.timeLimit = limit })
            #expect(await quick.fetch(start + "/slow") == .failure(.timedOut(limit)))
        }
    }

    @Test
    func everyErrorIsASentence() {
        let errors: [FetchError] = [
            .refusedAddress("127.0.0.1"), .refusedType("text/html"), .refusedType(nil), .tooLarge(limit: 5),
            .status(404),
            .timedOut(.seconds(1)), .tooManyRedirects(limit: 3), .invalidURL("it is malformed"),
            .unreachable("there is no answer"), .cancelled,
        ]
        #expect(Set(errors.map(\.description)).count == errors.count)
        #expect(errors.allSatisfy { $0.description.hasSuffix(".") })
    }
}
