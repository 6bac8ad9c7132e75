internal import HAPCore

/// The description of the track that a sender plays.
package struct TrackMetadata: Sendable, Hashable {
    /// The maximum number of bytes of a body.
    package static let maximumLength = 65_536
    /// The maximum number of bytes of a string in UTF-8; the rest is cut off before a whole character.
    package static let maximumTextLength = 256

    /// The title of the track; `nil` if the sender has sent none.
    package var title: String?
    /// The artist of the track; `nil` if the sender has sent none.
    package var artist: String?
    /// The album of the track; `nil` if the sender has sent none.
    package var album: String?
    /// The genre of the track; `nil` if the sender has sent none.
    package var genre: String?
    /// The length of the track; `nil` if the sender has sent none or 0.
    package var duration: Duration?

    /// Creates metadata without any value.
    package init() {}

    /// Reads a body of the type `application/x-dmap-tagged`.
    ///
    /// The first item of a kind counts. Unknown items are ignored.
    ///
    /// - Throws: ``AirPlayError`` for a body of more than ``maximumLength`` bytes, for an item that reaches beyond the
    ///   end, and for more than ``DMAPReader/maximumDepth`` levels or ``DMAPReader/maximumCount`` items.
    package init(parsing bytes: [UInt8]) throws(AirPlayError) {
        guard bytes.count <= Self.maximumLength else { throw .tooLong(limit: Self.maximumLength) }
        var reader = DMAPReader(bytes)
        while let item = try reader.next() {
            switch item.code {
            case "minm": title = title ?? Self.text(item.content)
            case "asar": artist = artist ?? Self.text(item.content)
            case "asal": album = album ?? Self.text(item.content)
            case "asgn": genre = genre ?? Self.text(item.content)
            case "astm": duration = duration ?? Self.milliseconds(item.content)
            default: break
            }
        }
    }

    /// Returns a string with invalid UTF-8 replaced; `nil` if it is empty.
    private static func text(_ content: ArraySlice<UInt8>) -> String? {
        // Bytes far beyond the limit are not even decoded.
        let decoded = String(decoding: content.prefix(4 * maximumTextLength), as: UTF8.self)
        let text = decoded.prefix(utf8Bytes: maximumTextLength)
        return text.isEmpty ? nil : text
    }

    private static func milliseconds(_ content: ArraySlice<UInt8>) -> Duration? {
        guard (1...4).contains(content.count) else { return nil }
        let number = content.reduce(0) { $0 << 8 | Int64($1) }
        return number == 0 ? nil : .milliseconds(number)
    }
}

/// Reads the items of DMAP in their order, including those inside of containers.
///
/// An item is a code of four characters, a length of four bytes, the most significant first, and that many bytes. Every
/// item takes at least eight bytes of the input, so reading ends.
package struct DMAPReader: Sendable {
    /// The maximum number of containers that are inside of one another.
    package static let maximumDepth = 8
    /// The maximum number of items, containers included.
    package static let maximumCount = 1_000

    /// The codes of the items that consist of items.
    private static let containers: Set<String> = ["mlit", "mlcl", "mcon", "adbs", "apso", "cmst", "mdcl", "mshl"]

    private let bytes: [UInt8]
    private var position = 0
    /// The ends of the containers around the position, the innermost last.
    private var ends: [Int] = []
    private var count = 0

    /// An item that is not a container.
    package struct Item: Sendable, Hashable {
        /// The four characters of the code; invalid UTF-8 is replaced.
        package let code: String
        /// The bytes of the value.
        package let content: ArraySlice<UInt8>
    }

    /// Creates a reader at the first item.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the next item that is not a container, or `nil` at the end.
    ///
    /// - Throws: ``AirPlayError`` if an item reaches beyond the end of its container or of the input, and for too many
    ///   levels or items. The reader is then of no more use.
    package mutating func next() throws(AirPlayError) -> Item? {
        while true {
            while let end = ends.last, position == end { ends.removeLast() }
            let end = ends.last ?? bytes.count
            guard position < end else { return nil }
            guard end - position >= 8 else { throw .malformed("An item of DMAP is cut off in its head.") }
            count += 1
            guard count <= Self.maximumCount else { throw .tooLong(limit: Self.maximumCount) }
            let code = String(decoding: bytes[position..<position + 4], as: UTF8.self)
            let length = bytes[position + 4..<position + 8].reduce(0) { $0 << 8 | Int($1) }
            position += 8
            guard length <= end - position else { throw .malformed("The item \(code) of DMAP is cut off.") }
            guard Self.containers.contains(code) else {
                defer { position += length }
                return Item(code: code, content: bytes[position..<position + length])
            }
            guard ends.count < Self.maximumDepth else { throw .tooLong(limit: Self.maximumDepth) }
            ends.append(position + length)
        }
    }
}
