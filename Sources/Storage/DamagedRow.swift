/// A row that cannot have been written by this package.
///
/// Becomes a `StoreError` where the path of the file is known. Carries no contents of the row: it may hold a secret.
package struct DamagedRow: Error {
    /// The table that the row is in.
    package let table: String

    /// Creates the error.
    package init(table: String) {
        self.table = table
    }
}
