/// The reason why the catalog's input cannot be rendered.
struct CatalogError: Error, Hashable {
    /// The kinds of errors.
    enum Code: String, Sendable {
        /// The input does not have the expected JSON form.
        case malformed
        /// Two entries have the same id, UUID or Swift name.
        case duplicate
        /// A reference to an entry that does not exist.
        case unresolved
        /// A format, permission, unit or number that cannot be expressed in Swift.
        case unsupported
        /// A patch that changes nothing, because the input already contains the change; the patch must be deleted.
        case unusedPatch
    }

    /// The kind of error.
    var code: Code
    /// A description of the error.
    var reason: String
    /// The file, the entry or the patch that the error is about.
    var location: String

    /// Creates an error.
    init(_ code: Code, _ reason: String, at location: String) {
        self.code = code
        self.reason = reason
        self.location = location
    }
}

extension CatalogError: CustomStringConvertible {
    /// The error in the form `location: reason (code)`.
    var description: String {
        "\(location): \(reason) (\(code.rawValue))"
    }
}
