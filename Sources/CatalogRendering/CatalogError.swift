/// Why the catalog's input cannot be rendered.
package struct CatalogError: Error, Hashable {
    /// What kind of failure.
    package enum Code: String, Sendable {
        /// The input is not the JSON that is expected.
        case malformed
        /// Two entries claim one id, one UUID or one Swift name.
        case duplicate
        /// Something refers to an entry that does not exist.
        case unresolved
        /// A format, permission, unit or number that has no form in Swift.
        case unsupported
        /// A patch that changes nothing: the input has caught up, and the patch must go.
        case unusedPatch
    }

    /// What kind of failure.
    package var code: Code
    /// What is wrong, in words.
    package var reason: String
    /// The file, entry or patch concerned.
    package var location: String

    /// Creates an error.
    package init(_ code: Code, _ reason: String, at location: String) {
        self.code = code
        self.reason = reason
        self.location = location
    }
}

extension CatalogError: CustomStringConvertible {
    /// `where: what (kind)`.
    package var description: String {
        "\(location): \(reason) (\(code.rawValue))"
    }
}
