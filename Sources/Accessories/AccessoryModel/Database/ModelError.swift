/// The reason why a declaration cannot be served.
///
/// This is the only error type of this module.
public struct ModelError: Error, Sendable, Hashable {
    /// The kinds of errors.
    public enum Code: String, Sendable, Hashable {
        /// Two objects have the same key or id, or a saved id belongs to another object.
        case duplicate
        /// Something that HAP requires is missing.
        case missing
        /// A value, a limit or a flag is not allowed here.
        case invalid
        /// There are more objects of one kind than HAP allows.
        case tooMany
    }

    /// The kind of error.
    public var code: Code
    /// The path of the object, made of names, such as `Kilgo Garage/Lightbulb/Brightness`.
    public var path: String
    /// A sentence that describes the error and how to fix it.
    public var reason: String

    /// Creates an error.
    public init(_ code: Code, at path: String, _ reason: String) {
        self.code = code
        self.path = path
        self.reason = reason
    }
}

extension ModelError: CustomStringConvertible {
    /// The error in the form `path: reason`.
    public var description: String {
        "\(path): \(reason)"
    }
}
