/// The reason why the catalog's input cannot be rendered.
package struct CatalogError: Error, Hashable {
    /// The kinds of errors.
    package enum Code: String, Sendable {
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
    package var code: Code
    /// A description of the error.
    package var reason: String
    /// The file, the entry or the patch that the error is about.
    package var location: String

    /// Creates an error.
    package init(_ code: Code, _ reason: String, at location: String) {
        self.code = code
        self.reason = reason
        self.location = location
    }
}

extension CatalogError: CustomStringConvertible {
    /// The error in the form `location: reason (code)`.
    package var description: String {
        "\(location): \(reason) (\(code.rawValue))"
    }
}
