/// Decides when files are to be read again: when they are other ones than were read, and nobody writes them any more.
///
/// A value without a clock: it is asked to look from time to time.
struct FileWatch: Sendable {
    /// The files, each once.
    let paths: [String]
    private let read: [FileStamp?]
    private var last: [FileStamp?]

    /// Begins with what was read; a file without a stamp was not there.
    init(_ files: [(path: String, stamp: FileStamp?)]) {
        paths = files.map(\.path)
        read = files.map(\.stamp)
        last = read
    }

    /// Compares the stamps, in the order of ``paths``; `true` when the files are to be read now.
    ///
    /// They are when something is other than it was read, and everything as it was at the last look.
    mutating func look(_ stamps: [FileStamp?]) -> Bool {
        defer { last = stamps }
        return stamps != read && stamps == last
    }
}
