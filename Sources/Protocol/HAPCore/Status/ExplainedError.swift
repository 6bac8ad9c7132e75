/// An error that says what is wrong, where, and what to do.
///
/// Programs decide on the code; people read the sentences. The sentences name no command of a program: a program that
/// has one for a code adds it where it prints the error.
public protocol ExplainedError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of errors of a module.
    associatedtype Code: Sendable, Hashable

    /// The kind of error.
    var code: Code { get }
    /// The names that lead to the object with the error, such as `Kilgo House/Movie Time`; empty if the reason says it.
    var path: String { get }
    /// A sentence that says what is wrong.
    var reason: String { get }
    /// A sentence that says what to do.
    var remedy: String { get }
}

extension ExplainedError {
    /// The reason says where the error is.
    public var path: String { "" }

    /// The text `path: reason remedy`, without a missing path.
    public var description: String { path.isEmpty ? "\(reason) \(remedy)" : "\(path): \(reason) \(remedy)" }
}
