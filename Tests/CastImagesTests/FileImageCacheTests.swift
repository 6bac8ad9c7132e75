import AsyncPrimitives
import Foundation
import HTTPTestSupport
import NIOHTTP1
import TestSupport
import Testing

@testable import CastImages

/// Storing pictures in files.
@Suite(.timeLimit(.minutes(1)))
struct FileImageCacheTests {
    private static func png(_ number: Int, count: Int = 1) -> [UInt8] {
        TestHTTPServer.png(Array(repeating: UInt8(number), count: count))
    }

    @Test
    func pictureIsFreshForADayAndThenConfirmed() async throws {
        try await TestHTTPServer.run { request, _ in
            request.headers.contains(name: "If-None-Match")
                ? .status(304, ("ETag", "\"2\"")) : .picture(Self.png(1), ("ETag", "\"1\""))
        } body: { server in
            let fixture = try ImageCacheFixture()
            let url = "http://127.0.0.1:\(server.port)/secret/poster.png"
            for interval in [0, 86_399, 1, 86_399, 1.0] {
                fixture.time.advance(interval)
                #expect(try await fixture.cache.image(at: url) == CachedImage(Self.png(1)))
            }
            #expect(server.values(of: "If-None-Match") == [nil, "\"1\"", "\"2\""])
            #expect(server.values(of: "Host") == Array(repeating: "127.0.0.1:\(server.port)", count: 3))
            let file = try #require(fixture.files.first)
            #expect(fixture.files.count == 1 && file.count == 64 && !file.contains("poster"))
            #expect(try fixture.permissions(of: fixture.folder("a")) == 0o700)
            #expect(try fixture.permissions(of: fixture.folder("a/b")) == 0o700)
            #expect(try fixture.permissions(of: fixture.folder("a/b/\(file)")) == 0o600)
            // Another process finds the file.
            let later = try ImageCacheFixture(in: fixture.folder)
            #expect(await later.load(url) == .success(Self.png(1)))
            #expect(server.requests.count == 4)
        }
    }

    @Test(arguments: [
        ("max-age=60", [59.0, 1, 59], 2, true), ("public, MAX-AGE=\"60\"", [59, 1], 2, true),
        ("max-age=0", [0, 0], 3, false), ("no-cache", [0, 0], 3, false),
        ("no-cache=\"a, b\", max-age=60", [0], 2, false),
        ("no-store, max-age=60", [0, 0], 3, false), ("max-age=-1", [0], 2, false), ("max-age=x", [0], 2, false),
        ("max-age=99999999999999999999", [31_535_999, 1], 2, true), ("private", [86_399, 1], 2, true),
        // The clock was wrong when the picture was stored.
        ("max-age=60", [-10, 0], 2, true),
    ])
    func serverSaysHowLongAPictureIsFresh(
        _ rule: String,
        _ intervals: [Double],
        _ requestCount: Int,
        _ isStored: Bool
    ) async throws {
        try await TestHTTPServer.run { _, _ in
            .picture(Self.png(1), ("Cache-Control", rule))
        } body: { server in
            let fixture = try ImageCacheFixture()
            for interval in [0] + intervals {
                fixture.time.advance(interval)
                #expect(await fixture.load("http://127.0.0.1:\(server.port)/") == .success(Self.png(1)))
            }
            #expect(server.requests.count == requestCount)
            #expect(fixture.files.isEmpty == !isStored)
        }
    }

    @Test
    func timeInOtherCachesIsSubtracted() async throws {
        try await TestHTTPServer.run { _, _ in
            .picture(Self.png(1), ("Cache-Control", "max-age=60"), ("Age", "50"))
        } body: { server in
            let fixture = try ImageCacheFixture()
            for interval in [0, 9, 1.0] {
                fixture.time.advance(interval)
                _ = await fixture.load("http://127.0.0.1:\(server.port)/")
            }
            #expect(server.requests.count == 2)
        }
    }

    @Test
    func changedPictureReplacesTheStoredOneAndNoStoreDeletesIt() async throws {
        try await TestHTTPServer.run { _, number in
            .picture(
                Self.png(number),
                ("ETag", "\"\(number)\""),
                ("Cache-Control", number < 3 ? "no-cache" : "no-store")
            )
        } body: { server in
            let fixture = try ImageCacheFixture()
            for (number, files) in [(1, 1), (2, 1), (3, 0), (4, 0)] {
                #expect(await fixture.load("http://127.0.0.1:\(server.port)/") == .success(Self.png(number)))
                #expect(fixture.files.count == files)
            }
            #expect(server.values(of: "If-None-Match") == [nil, "\"1\"", "\"2\"", nil])
        }
    }

    @Test
    func leastRecentlyUsedFilesAreDeleted() async throws {
        try await TestHTTPServer.run { request, _ in
            .picture(Self.png(request.uri.utf8.count, count: 1_000))
        } body: { server in
            for configuration in [
                FileImageCache.Configuration.allowingPrivateAddresses.with { $0.maximumFiles = 3 },
                .allowingPrivateAddresses.with { $0.maximumBytes = 4_500 },
            ] {
                let fixture = try ImageCacheFixture(configuration)
                func load(_ path: String) async -> Int {
                    let count = server.requests.count
                    fixture.time.advance(1)
                    #expect(await fixture.load("http://127.0.0.1:\(server.port)\(path)") != .failure(.notAnImage))
                    return server.requests.count - count
                }
                for path in ["/", "/b", "/cc"] { #expect(await load(path) == 1) }
                // Files of others are neither counted nor deleted, but those of a write that was not completed are.
                _ = try fixture.folder.write("", to: "a/b/other")
                _ = try fixture.folder.write("", to: "a/b/\(fixture.files[0]).1.new")
                #expect(await load("/") == 0)
                #expect(await load("/ddd") == 1)
                #expect(fixture.files.count == 4)
                for path in ["/", "/cc", "/ddd"] { #expect(await load(path) == 0) }
                #expect(await load("/b") == 1)
                #expect(await load("/") == 1)
            }
        }
    }

    @Test(arguments: 0..<6)
    func damagedFileIsLoadedAgain(_ kind: Int) async throws {
        try await TestHTTPServer.run { _, _ in
            .picture(Self.png(1, count: 100))
        } body: { server in
            let fixture = try ImageCacheFixture()
            let url = "http://127.0.0.1:\(server.port)/"
            _ = await fixture.load(url)
            let path = fixture.folder("a/b/\(try #require(fixture.files.first))")
            var content = try Data(contentsOf: URL(filePath: path))
            switch kind {
            case 0: content.removeLast()
            case 1: content[content.count - 1] ^= 1
            case 2: content[80] ^= 1
            case 3: content = Data()
            case 4: content = Data(repeating: 10, count: 6_000_000)
            default: break
            }
            if kind < 5 {
                try content.write(to: URL(filePath: path))
            } else {
                try FileManager.default.moveItem(atPath: path, toPath: path + "x")
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + "x")
            }
            for _ in 1...2 { #expect(await fixture.load(url) == .success(Self.png(1, count: 100))) }
            #expect(server.requests.count == 2)
        }
    }

    @Test
    func folderThatCannotBeWrittenOnlyCostsRequests() async throws {
        try await TestHTTPServer.run { _, _ in
            .picture()
        } body: { server in
            let fixture = try ImageCacheFixture()
            _ = try fixture.folder.write("", to: "a")
            for _ in 1...2 {
                #expect(await fixture.load("http://127.0.0.1:\(server.port)/") == .success(TestHTTPServer.png()))
            }
            #expect(server.requests.count == 2)
        }
    }

    // MARK: Responses

    @Test
    func whatIsNotAnImageIsRefused() async throws {
        let svg = Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)
        let replies: [TestHTTPServer.Reply] = [
            ("text/html", TestHTTPServer.png()), (nil, TestHTTPServer.png()), ("image/svg+xml", svg),
            ("image/svg+xml; charset=utf-8", TestHTTPServer.png()), ("image/png", svg), ("image/png", []),
        ]
        .map { .document($1, type: $0) }
        try await TestHTTPServer.run { _, number in
            replies[number - 1]
        } body: { server in
            let fixture = try ImageCacheFixture()
            for _ in replies {
                #expect(await fixture.load("http://127.0.0.1:\(server.port)/") == .failure(.notAnImage))
            }
            #expect(fixture.files.isEmpty)
        }
    }

    @Test
    func formatIsThatOfTheFirstBytes() {
        let header = Array(repeating: UInt8(0), count: 12) + [40, 0, 0, 0] + Array(repeating: 0, count: 8)
        let files: [([UInt8], CachedImage.Format?)] = [
            (TestHTTPServer.png(), .png), ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg), (Array("GIF87a".utf8), .gif),
            (Array("GIF89a".utf8), .gif), (Array("RIFF....WEBP".utf8), .webp), (Array("BM".utf8) + header, .bmp),
            ([], nil), (Array("RIFF....WAVE".utf8), nil), (Array("BM is no picture, but a text".utf8), nil),
            (Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8), nil),
            (Array(TestHTTPServer.png().dropLast()), nil),
        ]
        for (bytes, format) in files { #expect(CachedImage(bytes)?.format == format) }
    }

    @Test
    func largePictureIsRefused() async throws {
        try await TestHTTPServer.run { _, number in
            let body = Self.png(1, count: number < 3 ? 93 : 92)
            // With and without a length; the body of the first one never ends.
            return .init(type: "image/png", body: body, length: [1_000, nil, nil, 100][number - 1])
        } body: { server in
            let fixture = try ImageCacheFixture(.allowingPrivateAddresses.with { $0.maximumImageBytes = 100 })
            let url = "http://127.0.0.1:\(server.port)/"
            for _ in 1...2 { #expect(await fixture.load(url) == .failure(.tooLarge(limit: 100))) }
            #expect(await fixture.load(url) == .success(Self.png(1, count: 92)))
            #expect(await fixture.load(url + "2") == .success(Self.png(1, count: 92)))
        }
    }

    @Test
    func failuresHaveReasons() async throws {
        try await TestHTTPServer.run { request, _ in
            switch request.uri {
            case "/304": .status(304)
            case "/302": .status(302)
            case "/short": .init(type: "image/png", body: TestHTTPServer.png(), length: 9)
            default: .status(404)
            }
        } body: { server in
            let fixture = try ImageCacheFixture()
            let start = "http://127.0.0.1:\(server.port)"
            #expect(await fixture.load(start + "/304") == .failure(.status(304)))
            #expect(await fixture.load(start + "/302") == .failure(.status(302)))
            #expect(await fixture.load(start + "/404") == .failure(.status(404)))
            #expect(await fixture.load(start + "/short") == .failure(.unreachable("the connection has ended")))
            #expect(await fixture.load("http://unknown.test/") == .failure(.unreachable("the host name is unknown")))
            #expect(await fixture.load("ftp://a/") == .failure(.invalidURL("its scheme is neither http nor https")))
            #expect(fixture.files.isEmpty)
        }
    }

    @Test
    func slowServerIsLeft() async throws {
        try await TestHTTPServer.run { request, _ in
            request.uri == "/silent"
                ? nil : .init(type: "image/png", body: TestHTTPServer.png(), length: 100, staysOpen: true)
        } body: { server in
            let limit = Duration.milliseconds(50)
            let fixture = try ImageCacheFixture(.allowingPrivateAddresses.with { $0.timeLimit = limit })
            for path in ["silent", "slow"] {
                #expect(await fixture.load("http://127.0.0.1:\(server.port)/\(path)") == .failure(.timedOut(limit)))
            }
        }
    }

    @Test
    func threeRedirectsAreFollowedAndTagsStayWithTheirLocation() async throws {
        try await TestHTTPServer.run { request, number in
            switch request.uri {
            case "/0": number < 10 ? .redirect(to: "1") : .redirect(to: "/other")
            case "/1", "/2": .redirect(to: request.uri == "/1" ? "/2" : "/3")
            case "/loop": .redirect(to: "/loop")
            default: .picture(TestHTTPServer.png(), ("ETag", "\"1\""), ("Cache-Control", "no-cache"))
            }
        } body: { server in
            let fixture = try ImageCacheFixture()
            let start = "http://127.0.0.1:\(server.port)"
            for _ in 1...2 { #expect(await fixture.load(start + "/0") == .success(TestHTTPServer.png())) }
            #expect(server.requests.map(\.uri) == ["/0", "/1", "/2", "/3", "/0", "/1", "/2", "/3"])
            #expect(server.values(of: "If-None-Match") == Array(repeating: nil, count: 7) + ["\"1\""])
            #expect(await fixture.load(start + "/3") == .success(TestHTTPServer.png()))
            #expect(await fixture.load(start + "/0") == .success(TestHTTPServer.png()))
            #expect(server.requests.suffix(2).map(\.uri) == ["/0", "/other"])
            #expect(server.values(of: "If-None-Match").suffix(2) == [nil, nil])
            #expect(await fixture.load(start + "/loop") == .failure(.tooManyRedirects(limit: 3)))
            #expect(server.requests.suffix(5).map(\.uri) == ["/other", "/loop", "/loop", "/loop", "/loop"])
        }
    }

    // MARK: Several tasks

    /// Lets other tasks run until a condition is true, or the time limit of the suite is over.
    private func wait(until condition: () async -> Bool) async throws {
        while await !condition() {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    @Test
    func tasksThatWaitForOnePictureLoadItOnce() async throws {
        let gate = OneShot<Void>()
        try await TestHTTPServer.run { _, _ in
            await gate.wait()
            return .picture(Self.png(1), ("Cache-Control", "no-store"))
        } body: { server in
            let fixture = try ImageCacheFixture()
            let url = "http://127.0.0.1:\(server.port)/"
            async let first = fixture.load(url)
            async let second = fixture.load(url + "#fragment")
            let third = Task { await fixture.load(url) }
            try await wait { await fixture.cache.waiterCount == 3 }
            third.cancel()
            #expect(await third.value == .failure(.cancelled))
            gate.set()
            #expect(await [first, second] == [.success(Self.png(1)), .success(Self.png(1))])
            #expect(server.requests.count == 1)
        }
    }

    @Test
    func cancelledLoadIsBegunAgain() async throws {
        try await TestHTTPServer.run { _, number in
            number == 1 ? nil : .picture()
        } body: { server in
            let fixture = try ImageCacheFixture()
            let url = "http://127.0.0.1:\(server.port)/"
            let first = Task { await fixture.load(url) }
            try await wait { !server.requests.isEmpty }
            first.cancel()
            #expect(await first.value == .failure(.cancelled))
            #expect(await fixture.load(url) == .success(TestHTTPServer.png()))
        }
    }
}
