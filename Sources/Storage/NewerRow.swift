/// A row that a newer version of the program has written; it may be as good as any.
package struct NewerRow: Error {
    /// Creates the error.
    package init() {}
}
