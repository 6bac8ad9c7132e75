internal import AirPlay
internal import Fetching
internal import HAPCore

/// Looks up what is at the address of a video: a playlist, its variants and its duration.
struct VideoFetcher: Sendable {
    private let fetcher: DocumentFetcher
    /// The duration of content that is not a playlist, in seconds.
    private let otherDuration: Double

    /// - Parameter exemptAddresses: Addresses that are not refused, for tests.
    init(otherDuration: Double, exemptAddresses: Set<IPAddress> = []) {
        var configuration = DocumentFetcher.Configuration()
        configuration.maximumBytes = HLSPlaylist.maximumLength
        configuration.exemptAddresses = exemptAddresses
        configuration.accept = "application/vnd.apple.mpegurl, */*"
        configuration.acceptsType = { type in
            type.isEmpty || type.contains("mpegurl") || type.hasPrefix("text/") || type == "application/octet-stream"
        }
        fetcher = DocumentFetcher(configuration)
        self.otherDuration = otherDuration
    }

    /// Returns what is known of the content of an address.
    func content(of url: String) async -> Result<VideoContent, VideoFailure> {
        do throws(FetchError) {
            let document: DocumentFetcher.Document
            do throws(FetchError) {
                document = try await fetcher.fetch(url)
            } catch FetchError.refusedType {
                return .success(VideoContent(duration: otherDuration))
            }
            return try await content(of: document)
        } catch {
            return .failure(VideoFailure(error))
        }
    }

    private func content(of document: DocumentFetcher.Document) async throws(FetchError) -> Result<
        VideoContent, VideoFailure
    > {
        do throws(AirPlayError) {
            guard case .master(let master) = try HLSPlaylist(parsing: document.bytes) else {
                return .success(VideoContent(duration: try Self.duration(of: document.bytes)))
            }
            guard let variant = master.variant() else { return .failure(.malformed("The playlist has no variant.")) }
            let media: DocumentFetcher.Document
            do throws(FetchError) {
                let base = try DocumentLocation(document.url)
                media = try await fetcher.fetch(DocumentLocation(variant.reference, relativeTo: base).text)
            } catch {
                return .failure(VideoFailure(error))
            }
            var content = VideoContent(duration: try Self.duration(of: media.bytes))
            content.variants = master.variants.count
            content.resolution = variant.resolution.map { "\($0.width)x\($0.height)" }
            content.bandwidth = variant.bandwidth
            return .success(content)
        } catch {
            return .failure(.malformed("\(error)"))
        }
    }

    /// Returns the duration of a playlist of segments in seconds; `nil` for a live stream.
    private static func duration(of bytes: [UInt8]) throws(AirPlayError) -> Double? {
        guard case .media(let playlist) = try HLSPlaylist(parsing: bytes) else {
            throw .malformed("A variant of the playlist has variants of its own.")
        }
        return playlist.isLive ? nil : playlist.duration / .seconds(1)
    }
}

extension VideoFailure {
    /// The error of a content that cannot be decoded.
    fileprivate static func malformed(_ reason: String) -> VideoFailure { VideoFailure(-1_016, reason) }

    fileprivate init(_ error: FetchError) {
        let code =
            switch error {
            case .refusedAddress, .refusedType: -1_102
            case .tooLarge: -1_103
            case .status: -1_100
            case .timedOut: -1_001
            case .tooManyRedirects: -1_007
            case .invalidURL: -1_000
            case .unreachable: -1_004
            case .cancelled: -999
            }
        self.init(code, "\(error)")
    }
}
