import Foundation
import FoundationNetworking
import TestSupport
import Testing

@testable import CastSender

/// The server of one local file.
@Suite(.timeLimit(.minutes(5)))
struct CastFileServerTests {
    @Test(
        arguments: [
            ("bytes=0-3", .part(0..<4)), ("bytes=2-", .part(2..<10)), ("bytes=-3", .part(7..<10)),
            ("bytes=-99", .part(0..<10)), ("bytes=9-99", .part(9..<10)),
            ("bytes=0-99999999999999999999", .part(0..<10)),
            ("bytes=10-", .outside), ("bytes=-0", .outside), ("bytes=99999999999999999999-", .outside),
            ("bytes=3-2", .whole), ("bytes=0-1,3-4", .whole), ("bytes=--1", .whole), ("bytes=-", .whole),
            ("items=0-1", .whole), ("bytes=+1-2", .whole), ("", .whole),
        ] as [(String, ByteRange)]
    )
    func aRangeIsReadOrIgnored(text: String, range: ByteRange) {
        #expect(ByteRange(text, size: 10) == range)
        #expect(ByteRange("bytes=0-", size: 0) == .outside)
    }

    @Test
    func theFileIsServedToTheReceiverAloneUntilTheServerIsClosed() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("0123456789", to: "film.webm")
        let server = try await CastFileServer.serve(path, between: (local: "127.0.0.1", receiver: "127.0.0.1"))
        #expect(server.contentType == "video/webm")
        let url = try #require(URL(string: server.url))
        #expect(url.path.count == 33)
        func get(_ url: URL, _ range: String? = nil) async throws -> (Int, String) {
            var request = URLRequest(url: url)
            if let range { request.setValue(range, forHTTPHeaderField: "Range") }
            let (data, response) = try await URLSession.shared.data(for: request)
            return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
        }
        #expect(try await get(url) == (200, "0123456789"))
        #expect(try await get(url, "bytes=2-4") == (206, "234"))
        #expect(try await get(url, "bytes=20-") == (416, ""))
        #expect(try await get(try #require(URL(string: "http://127.0.0.1:\(url.port ?? 0)/film.webm"))).0 == 404)
        server.close()
        await #expect(throws: (any Error).self) { try await get(url) }
        // Another host than the receiver is disconnected.
        let foreign = try await CastFileServer.serve(path, between: (local: "127.0.0.1", receiver: "127.0.0.9"))
        let other = try #require(URL(string: foreign.url))
        await #expect(throws: (any Error).self) { try await get(other) }
        foreign.close()
        await #expect(throws: (any Error).self) {
            try await CastFileServer.serve("/nowhere.mp4", between: (local: "127.0.0.1", receiver: "127.0.0.1"))
        }
    }

    @Test
    func theMediaTypeFollowsFromTheName() {
        for (name, type) in [
            ("a.mp4", "video/mp4"), ("http://a.b/c.MP3?d=e.webm", "audio/mpeg"), ("a.b/c", nil), ("", nil),
        ] as [(String, String?)] {
            #expect(MediaInformation.contentType(of: name) == type, "\(name)")
        }
    }
}
