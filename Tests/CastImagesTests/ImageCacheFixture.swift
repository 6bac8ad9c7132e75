import AsyncPrimitives
import Fetching
import Foundation
import HTTPTestSupport
import Synchronization
import TestSupport

@testable import CastImages

/// A cache in a temporary folder, with a clock of the test, that knows no host names.
struct ImageCacheFixture {
    let folder: TemporaryFolder
    let cache: FileImageCache
    /// The seconds since an arbitrary time.
    let time = Time()

    final class Time: Sendable {
        private let seconds = Mutex(0.0)
        var now: Duration { .seconds(1_800_000_000) + .seconds(seconds.withLock { $0 }) }
        func advance(_ interval: Double) { seconds.withLock { $0 += interval } }
    }

    init(
        _ configuration: FileImageCache.Configuration = .allowingPrivateAddresses,
        in folder: TemporaryFolder? = nil
    ) throws {
        self.folder = try folder ?? TemporaryFolder()
        cache = FileImageCache(
            folder: self.folder("a/b"),
            configuration,
            fetcher: DocumentFetcher(configuration.fetching) { _ in [] },
            now: { [time] in time.now }
        )
    }

    /// The names of the files, sorted.
    var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder("a/b"))) ?? []).sorted()
    }

    func permissions(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// Returns the bytes of a picture, or the error.
    func load(_ url: String) async -> Result<[UInt8], CastImageError> {
        await Result { () async throws(CastImageError) in try await cache.image(at: url).bytes }
    }
}

extension FileImageCache.Configuration {
    static var allowingPrivateAddresses: Self {
        var configuration = Self()
        configuration.allowsPrivateAddresses = true
        return configuration
    }

    func with(_ change: (inout Self) -> Void) -> Self {
        var changed = self
        change(&changed)
        return changed
    }
}

extension TestHTTPServer {
    /// A small picture, followed by bytes that make it unique or larger.
    static func png(_ rest: [UInt8] = []) -> [UInt8] { [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + rest }
}

extension TestHTTPServer.Reply {
    static func picture(_ body: [UInt8] = TestHTTPServer.png(), _ headers: (String, String)...) -> Self {
        .document(body, type: "image/png", headers)
    }
}
