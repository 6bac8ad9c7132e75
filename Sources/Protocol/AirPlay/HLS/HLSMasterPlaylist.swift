/// A playlist that lists variants of a presentation.
///
/// [Master playlist tags](https://www.rfc-editor.org/rfc/rfc8216#section-4.3.4)
package struct HLSMasterPlaylist: Sendable, Hashable {
    /// The variants in their order.
    package fileprivate(set) var variants: [Variant] = []
    /// The renditions in their order.
    package fileprivate(set) var renditions: [Rendition] = []

    /// The number of pixels of a picture.
    package struct Resolution: Sendable, Hashable {
        /// The number of pixels of a row, from 1 to 65,535.
        package let width: Int
        /// The number of rows, from 1 to 65,535.
        package let height: Int

        /// Creates a resolution; `nil` if a number is out of its range.
        package init?(width: Int, height: Int) {
            guard (1...65_535).contains(width), (1...65_535).contains(height) else { return nil }
            (self.width, self.height) = (width, height)
        }

        /// Reads a form such as `1920x1080`; `nil` for another one.
        package init?(_ text: some StringProtocol) {
            let parts = text.split(separator: "x", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 2, let width = parts[0].decimalInteger, let height = parts[1].decimalInteger else {
                return nil
            }
            self.init(width: width, height: height)
        }

        /// Whether the resolution is at most as wide and at most as high as another one.
        package func fits(into other: Resolution) -> Bool { width <= other.width && height <= other.height }
    }

    /// One of several streams with the same content.
    package struct Variant: Sendable, Hashable {
        /// The reference to the media playlist, as it is written.
        package let reference: String
        /// The peak number of bits per second.
        package let bandwidth: Int
        /// The average number of bits per second; `nil` if it is not given.
        package let averageBandwidth: Int?
        /// The size of the picture; `nil` if it is not given, as for audio.
        package let resolution: Resolution?
        /// The codecs, such as `avc1.640028`; empty if they are not given.
        package let codecs: [String]
        /// The maximum number of pictures per second; `nil` if it is not given.
        package let frameRate: Double?

        fileprivate init(_ attributes: HLSAttributeList, reference: String) throws(AirPlayError) {
            self.reference = reference
            guard let bandwidth = attributes["BANDWIDTH"]?.decimalInteger else {
                throw .malformed("A variant of a playlist has no bandwidth.")
            }
            self.bandwidth = bandwidth
            averageBandwidth = attributes["AVERAGE-BANDWIDTH"]?.decimalInteger
            resolution = attributes["RESOLUTION"].flatMap { Resolution($0) }
            codecs = attributes["CODECS"]?.split(separator: ",").map { String($0.trimmed) } ?? []
            frameRate = attributes["FRAME-RATE"]?.decimalNanoseconds.map { Double($0) / 1e9 }
        }
    }

    /// An alternative such as another language, which variants refer to.
    package struct Rendition: Sendable, Hashable {
        /// The kind of a rendition.
        package enum Kind: String, Sendable, Hashable {
            /// Sound.
            case audio = "AUDIO"
            /// Pictures.
            case video = "VIDEO"
            /// Text with a playlist of its own.
            case subtitles = "SUBTITLES"
            /// Text inside of the pictures.
            case closedCaptions = "CLOSED-CAPTIONS"
        }

        /// The kind.
        package let kind: Kind
        /// The name for users.
        package let name: String
        /// The language, such as `en`; `nil` if it is not given.
        package let language: String?
        /// The reference to the media playlist, as it is written; `nil` if the variants contain the rendition.
        package let reference: String?
        /// Whether players use the rendition unless the user chooses another one.
        package let isDefault: Bool
    }

    /// Returns the renditions of a kind in their order.
    package func renditions(_ kind: Rendition.Kind) -> [Rendition] {
        renditions.filter { $0.kind == kind }
    }

    /// Returns the variant with the most bandwidth that fits into both limits.
    ///
    /// A variant without a resolution fits into every resolution. Of variants with the same bandwidth, the one with the
    /// most pixels is chosen, then the first one. If none fits, the variant with the least bandwidth is chosen.
    ///
    /// - Parameters:
    ///   - maximumBandwidth: The maximum number of bits per second; `nil` for no limit.
    ///   - maximumResolution: The maximum size of the picture; `nil` for no limit.
    /// - Returns: `nil` if the playlist has no variants.
    package func variant(maximumBandwidth: Int? = nil, maximumResolution: Resolution? = nil) -> Variant? {
        let fitting = variants.filter { variant in
            guard variant.bandwidth <= maximumBandwidth ?? .max else { return false }
            guard let limit = maximumResolution, let resolution = variant.resolution else { return true }
            return resolution.fits(into: limit)
        }
        func key(_ variant: Variant) -> (Int, Int) {
            (variant.bandwidth, variant.resolution.map { $0.width * $0.height } ?? 0)
        }
        var best: Variant?
        for variant in fitting where best.map({ key($0) < key(variant) }) ?? true { best = variant }
        return best ?? variants.min { $0.bandwidth < $1.bandwidth }
    }
}

extension HLSMasterPlaylist {
    /// Collects the tags of a master playlist.
    struct Reader {
        private var result = HLSMasterPlaylist()
        /// The attributes of a variant whose reference is in the next line.
        private var pending: HLSAttributeList?

        /// The playlist; `nil` if it has neither variants nor renditions.
        var playlist: HLSMasterPlaylist? {
            result.variants.isEmpty && result.renditions.isEmpty ? nil : result
        }

        mutating func read(_ tag: HLSPlaylist.Tag) throws(AirPlayError) {
            switch tag.name {
            case "#EXT-X-STREAM-INF":
                guard pending == nil else { throw .malformed("A variant of a playlist has no URL.") }
                pending = try HLSAttributeList(parsing: tag.value)
            case "#EXT-X-MEDIA":
                try add(HLSAttributeList(parsing: tag.value))
            default: break
            }
        }

        /// Reads a line that is not a tag, and returns whether it belongs to a variant.
        mutating func readURL(_ line: String) throws(AirPlayError) -> Bool {
            guard let attributes = pending else { return false }
            pending = nil
            guard result.variants.count < HLSPlaylist.maximumVariantCount else {
                throw .tooLong(limit: HLSPlaylist.maximumVariantCount)
            }
            result.variants.append(try Variant(attributes, reference: line))
            return true
        }

        private mutating func add(_ attributes: HLSAttributeList) throws(AirPlayError) {
            guard let name = attributes["NAME"], let type = attributes["TYPE"] else {
                throw .malformed("A rendition of a playlist has no type or no name.")
            }
            // A kind that is not known is ignored, as an unknown tag is.
            guard let kind = Rendition.Kind(rawValue: type) else { return }
            guard result.renditions.count < HLSPlaylist.maximumVariantCount else {
                throw .tooLong(limit: HLSPlaylist.maximumVariantCount)
            }
            let rendition = Rendition(
                kind: kind,
                name: name,
                language: attributes["LANGUAGE"],
                reference: attributes["URI"],
                isDefault: attributes["DEFAULT"] == "YES"
            )
            result.renditions.append(rendition)
        }
    }
}
