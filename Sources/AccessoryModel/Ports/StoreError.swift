/// Why a store did not do what it was asked.
public struct StoreError: Error, Sendable, Hashable {
    /// What kind of failure.
    public enum Code: Sendable, Hashable {
        /// The place cannot be opened, read or written: permissions, a full disk.
        case unavailable
        /// Another process holds it.
        case inUse
        /// The contents are not what was written.
        case damaged
        /// A newer version wrote it.
        case tooNew
    }

    /// What kind of failure.
    public var code: Code
    /// What happened, in a sentence that names the file.
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

extension StoreError: CustomStringConvertible {
    /// The two sentences.
    public var description: String {
        "\(reason) \(remedy)"
    }
}
