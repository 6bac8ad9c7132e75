internal import HAPCore

/// A picture of a content, such as a poster.
public struct CastImage: Sendable, Hashable {
    /// The address of the picture.
    public let url: String
    /// The size in pixels; `nil` if the sender has not said it.
    public let size: Size?

    /// A size in pixels.
    public struct Size: Sendable, Hashable {
        /// The number of pixels in a row.
        public let width: Int
        /// The number of rows.
        public let height: Int

        /// Creates a size.
        public init(width: Int, height: Int) {
            (self.width, self.height) = (width, height)
        }
    }

    /// Creates a picture.
    public init(url: String, size: Size? = nil) {
        (self.url, self.size) = (url, size)
    }

    init?(_ object: JSONObject) {
        guard let url = object.text("url") else { return nil }
        var size: Size?
        if let width = object.integer("width"), let height = object.integer("height"), width > 0, height > 0 {
            size = Size(width: width, height: height)
        }
        self.init(url: url, size: size)
    }

    var object: JSONObject {
        var object: JSONObject = ["url": .string(url)]
        if let size {
            object["width"] = .integer(size.width)
            object["height"] = .integer(size.height)
        }
        return object
    }
}

extension [CastImage] {
    /// Returns the smallest picture that covers a size; if none does, the largest one; if no size is known, the first.
    ///
    /// Of pictures that are equally good, the first one is returned.
    public func best(for wanted: CastImage.Size) -> CastImage? {
        func area(_ size: CastImage.Size) -> Double { Double(size.width) * Double(size.height) }
        let known = compactMap { image in image.size.map { (image: image, size: $0) } }
        let covering = known.filter { $0.size.width >= wanted.width && $0.size.height >= wanted.height }
        return covering.min { area($0.size) < area($1.size) }?.image
            // Unlike `max`, this returns the first one of several.
            ?? known.min { area($0.size) > area($1.size) }?.image
            ?? first
    }
}
