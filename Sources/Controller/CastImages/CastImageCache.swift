/// A source of pictures, such as the posters of contents.
///
/// The addresses come from receivers and from other senders: they are chosen by strangers. ``FileImageCache`` is the
/// default.
public protocol CastImageCache: Sendable {
    /// Returns the picture at an address, from the cache or from the network.
    ///
    /// - Parameter url: The address, with the scheme `http` or `https`, such as the one of a `CastImage`.
    /// - Throws: ``CastImageError/cancelled`` if the task is cancelled, or the reason why there is no picture.
    func image(at url: String) async throws(CastImageError) -> CachedImage
}

/// The file of a picture, whose first bytes are those of its format.
public struct CachedImage: Sendable, Hashable {
    /// The format of a picture.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        case png
        case jpeg
        case gif
        case webp
        case bmp

        /// The media type, such as `image/png`.
        public var mediaType: String { "image/\(rawValue)" }
    }

    /// The content of the file, of which only the first bytes were checked.
    public let bytes: [UInt8]
    /// The format that the first bytes show, whatever the server has said.
    public let format: Format

    /// Creates a picture, or returns `nil` if the first bytes are not those of a known format.
    public init?(_ bytes: [UInt8]) {
        guard let format = Format(ofFile: bytes) else { return nil }
        (self.bytes, self.format) = (bytes, format)
    }
}

extension CachedImage.Format {
    /// Recognizes the format of a file by its first bytes.
    fileprivate init?(ofFile bytes: [UInt8]) {
        func has(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if has("GIF87a") || has("GIF89a") {
            self = .gif
        } else if has("RIFF"), has("WEBP", at: 8) {
            self = .webp
        } else if has("BM"), bytes.count >= 26, [12, 40, 52, 56, 64, 108, 124].contains(bytes[14]),
            bytes[15..<18].allSatisfy({ $0 == 0 })
        {
            // Two letters prove little, so the size of the second header is checked, too.
            self = .bmp
        } else {
            return nil
        }
    }
}
