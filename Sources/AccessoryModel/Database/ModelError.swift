/// Why a declaration cannot be served.
///
/// The one error type of this module.
public struct ModelError: Error, Sendable, Hashable {
    /// What kind of fault.
    public enum Code: String, Sendable, Hashable {
        /// Two objects have the same key or id, or a kept id belongs to another object.
        case duplicate
        /// Something that HAP requires is not there.
        case missing
        /// A value, a limit or a flag is not allowed where it stands.
        case invalid
        /// More of something than HAP allows.
        case tooMany
    }

    /// What kind of fault.
    public var code: Code
    /// Where: accessory, service and characteristic by name, such as `Kilgo Garage/Lightbulb/Brightness`.
    public var path: String
    /// What is wrong and what would be right, in a sentence.
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
