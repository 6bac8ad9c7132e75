/// A row that cannot have been written by this module.
///
/// Becomes a `StoreError` where the path of the file is known. Carries no contents of the row: it may hold a secret.
struct DamagedRow: Error {
    /// The table it stands in.
    var table: String
}
