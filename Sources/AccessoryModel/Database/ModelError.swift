/// The reason for which a declaration cannot be served.
///
/// This is the only error type of this module.
public struct ModelError: Error, Sendable, Hashable {
    /// The kinds of errors.
    public enum Code: String, Sendable, Hashable {
        /// Two objects have the same key or id, or a saved id belongs to another object.
        case duplicate
        /// Something that HAP requires is not there.
        case missing
        /// A value, a limit or a flag is not allowed here.
        case invalid
        /// More of something than HAP allows.
        case tooMany
    }

    /// The kind of error.
    public var code: Code
    /// The path of the object in names, such as `Kilgo Garage/Lightbulb/Brightness`.
    public var path: String
    /// The error and its remedy, in a sentence.
    public var reason: String

    /// Creates an error.
    public init(_ code: Code, at path: String, _ reason: String) {
        self.code = code
        self.path = path
        self.reason = reason
    }
}

extension ModelError: CustomStringConvertible {
    /// `path: reason`.
    public var description: String {
        "\(path): \(reason)"
    }
}
