/// Why a server cannot start, or not do what the program asks of it.
///
/// The one error type of this module.
public struct ServerError: Error, Sendable, Hashable {
    /// What kind of failure.
    public enum Code: String, Sendable, Hashable {
        /// The address cannot be listened on: it is in use, or not this machine's.
        case address
        /// The store failed.
        case store
        /// The accessories cannot be served as they are declared.
        case declaration
        /// What the program sets is not a value of the characteristic.
        case value
        /// A fault that has no better name.
        case other
    }

    /// What kind of failure.
    public var code: Code
    /// What happened, in a sentence.
    public var reason: String
    /// What to do about it, in a sentence.
    public var remedy: String

    /// Creates an error.
    public init(_ code: Code, reason: String, remedy: String) {
        self.code = code
        self.reason = reason
        self.remedy = remedy
    }
}

extension ServerError: CustomStringConvertible {
    /// The two sentences.
    public var description: String {
        "\(reason) \(remedy)"
    }
}
