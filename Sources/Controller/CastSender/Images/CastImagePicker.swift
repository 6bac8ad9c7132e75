/// What a picture is for.
public struct CastImageHints: Sendable, Hashable {
    /// The part of a program that shows a picture.
    public enum Use: Sendable, Hashable {
        case custom
        case castDialog
        case miniController
        case background
    }

    /// The part of the program that shows it.
    public var use: Use
    /// The size in pixels at which it is shown.
    public var size: CastImage.Size

    /// Creates hints.
    public init(_ use: Use, size: CastImage.Size) {
        (self.use, self.size) = (use, size)
    }
}

/// Chooses one of the pictures of a content.
public protocol CastImagePicker: Sendable {
    /// Returns one of the pictures; `nil` if none is suitable.
    func image(for hints: CastImageHints, of media: MediaInformation) -> CastImage?
}

/// Chooses the first picture.
public struct FirstImagePicker: CastImagePicker {
    /// Creates a picker.
    public init() {}

    /// Returns the first picture, whatever its size.
    public func image(for hints: CastImageHints, of media: MediaInformation) -> CastImage? { media.images.first }
}

/// Chooses the smallest picture that covers the size; if none does, the largest one.
public struct BestSizeImagePicker: CastImagePicker {
    /// Creates a picker.
    public init() {}

    /// Returns the picture that is best for the size.
    public func image(for hints: CastImageHints, of media: MediaInformation) -> CastImage? {
        media.images.best(for: hints.size)
    }
}
