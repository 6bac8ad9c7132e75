/// What is certain when a write returns.
///
/// SQLite's write-ahead log makes both safe against the end of the process: the bytes are with the system.
///
/// Measured on two busy cores with the release build, call to return, median and 99th percentile: a synced change
/// 0.40 and 7.2 ms, with one `fdatasync`; ten values, buffered, 0.21 and 0.48 ms, with none.
package enum Durability: String, Sendable {
    /// On disk: survives a loss of power. One `fsync` of the log, and of everything that was buffered before.
    case synced = "FULL"
    /// With the system: a loss of power may lose it, but never part of it or anything that was synced.
    case buffered = "NORMAL"
}
