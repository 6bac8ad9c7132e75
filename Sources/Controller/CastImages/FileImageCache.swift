internal import AsyncPrimitives
internal import Fetching
internal import Glibc

/// A cache that keeps pictures as files in a folder.
///
/// ```swift
/// let images = FileImageCache(folder: "/var/cache/sender/images")
/// let poster = try await images.image(at: "https://example.com/poster.jpg")
/// show(poster.bytes, as: poster.format.mediaType)
/// ```
///
/// Several requests for one picture at a time load it once. A stored picture is used as long as its server allows, or
/// for a day if the server does not say; then the server is asked whether it has changed. Only one cache should use a
/// folder at a time.
///
/// Pictures come from addresses of the public Internet only, also after redirects, and their names are looked up once:
/// see ``Configuration/allowsPrivateAddresses``.
public actor FileImageCache: CastImageCache {
    /// The limits of a cache.
    public struct Configuration: Sendable, Hashable {
        /// The size of all files in bytes, beyond which those that were not used for the longest time are deleted.
        public var maximumBytes = 50_000_000
        /// The number of files, beyond which those that were not used for the longest time are deleted.
        public var maximumFiles = 500
        /// The size of one picture in bytes.
        public var maximumImageBytes = 5_000_000
        /// The time for a picture: to look up names, to connect, to follow up to three redirects, and to load it.
        public var timeLimit = Duration.seconds(10)
        /// Whether pictures may come from addresses that are not of the public Internet, such as those of this machine
        /// and of the local network.
        ///
        /// The URLs are chosen by strangers. With their help, a stranger could otherwise reach devices and services that
        /// accept requests only from here, though not read what they answer.
        public var allowsPrivateAddresses = false

        /// Creates the usual limits.
        public init() {}
    }

    /// A picture that is being loaded, and the tasks that wait for it.
    private struct Load {
        let result = OneShot<Result<CachedImage, CastImageError>>()
        var task: Task<Void, Never>?
        var waiterCount = 0
    }

    private let folder: ImageFolder
    private let fetcher: DocumentFetcher
    /// The time since 1970.
    private let now: @Sendable () -> Duration
    /// By the names of their files.
    private var loads: [String: Load] = [:]

    /// The number of tasks that wait for a picture.
    var waiterCount: Int { loads.values.reduce(0) { $0 + $1.waiterCount } }

    /// Creates a cache.
    ///
    /// - Parameter folder: The path of a folder for this cache alone. It is created when a picture is stored, accessible
    ///   to this user only.
    public init(folder: String, _ configuration: Configuration = Configuration()) {
        self.init(folder: folder, configuration, fetcher: DocumentFetcher(configuration.fetching))
    }

    /// Creates a cache with its own clock and fetcher, for tests.
    init(
        folder: String,
        _ configuration: Configuration,
        fetcher: DocumentFetcher,
        now: @escaping @Sendable () -> Duration = FileImageCache.systemTime
    ) {
        self.folder = ImageFolder(
            path: folder,
            maximumBytes: configuration.maximumBytes,
            maximumFiles: configuration.maximumFiles,
            maximumFileSize: configuration.maximumImageBytes + StoredImage.maximumOverhead
        )
        self.fetcher = fetcher
        self.now = now
    }

    private static func systemTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Returns the picture at an address, from a file or from the network.
    ///
    /// If all tasks that wait for a picture are cancelled, it is no longer loaded.
    public func image(at url: String) async throws(CastImageError) -> CachedImage {
        let location = try Self.location(url)
        let name = StoredImage.digest(location.text.utf8)
        if loads[name] == nil {
            let stored = folder.read(name, at: now())
            if let stored, stored.isFresh(at: now()) { return stored.image }
            start(name, location, stored)
        }
        guard let result = loads[name]?.result else { throw .cancelled }
        loads[name]?.waiterCount += 1
        let outcome = await result.waitUnlessCancelled()
        // Another load of this picture may have begun.
        if let load = loads[name], load.result === result {
            loads[name]?.waiterCount -= 1
            if load.waiterCount == 1 {
                load.task?.cancel()
                loads[name] = nil
            }
        }
        guard let outcome else { throw .cancelled }
        return try outcome.get()
    }

    private static func location(_ url: String) throws(CastImageError) -> DocumentLocation {
        do {
            return try DocumentLocation(url)
        } catch {
            throw CastImageError(error)
        }
    }

    private func start(_ name: String, _ location: DocumentLocation, _ stored: StoredImage?) {
        var load = Load()
        let validator = stored.flatMap { stored in
            stored.etag.map { DocumentFetcher.Validator(etag: $0, url: stored.source) }
        }
        load.task = Task { [fetcher, result = load.result] in
            let answer = await Result { () async throws(FetchError) in
                try await fetcher.fetch(location, unless: validator)
            }
            let image = answer.mapError(CastImageError.init).flatMap { store($0, name, stored) }
            if loads[name]?.result === result { loads[name] = nil }
            result.set(image)
        }
        loads[name] = load
    }

    /// Stores the picture of an answer if its server allows it, and returns it.
    private func store(
        _ answer: DocumentFetcher.Answer,
        _ name: String,
        _ stored: StoredImage?
    ) -> Result<CachedImage, CastImageError> {
        let new: StoredImage
        let rules: CachingRules
        switch answer {
        case .document(let document):
            guard let image = CachedImage(document.bytes) else { return .failure(.notAnImage) }
            rules = document.rules
            new = StoredImage(image, rules, source: document.url, at: now())
        case .unchanged(let confirmed):
            guard let stored else { return .failure(.status(304)) }
            rules = confirmed
            new = stored.confirmed(rules, at: now())
        }
        if rules.isStorable, new.isReusable {
            folder.write(new, to: name, at: now())
        } else {
            folder.remove(name)
        }
        return .success(new.image)
    }
}

extension FileImageCache.Configuration {
    /// What may be fetched.
    var fetching: DocumentFetcher.Configuration {
        var fetching = DocumentFetcher.Configuration()
        fetching.maximumBytes = maximumImageBytes
        fetching.timeLimit = timeLimit
        fetching.allowsPrivateAddresses = allowsPrivateAddresses
        fetching.accept = CachedImage.Format.allCases.map(\.mediaType).joined(separator: ", ")
        fetching.acceptsType = { $0.hasPrefix("image/") && !$0.hasPrefix("image/svg") }
        return fetching
    }
}
