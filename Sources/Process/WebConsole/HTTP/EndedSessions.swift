internal import AsyncPrimitives
internal import Dispatch
internal import FoundationEssentials
internal import HAPCore
internal import Storage
internal import Synchronization

/// The sessions of browsers that were ended before they expire, also by an earlier process.
///
/// They are stored without their signatures, so the file gives no access.
final class EndedSessions: Sendable {
    /// The maximum number of sessions that are remembered one by one.
    static let maximum = 1_000

    private let file: String?
    private let contents: Mutex<Contents>
    private let queue = DispatchQueue(label: "hap.sessions")

    /// - Parameter file: The file in which they are stored, or `nil` to remember them in this process only.
    init(in file: String?) {
        self.file = file
        contents = Mutex(Self.read(file))
    }

    /// Returns whether a session was ended.
    func contains(_ session: BrowserSession) -> Bool {
        contents.withLock { $0.sessions.contains(session) || session.expiry <= $0.endOfAll }
    }

    /// Adds a session, and returns whether this is on disk.
    func add(_ session: BrowserSession, at now: UInt64) async -> Bool {
        contents.withLock { $0.add(session, at: now) }
        guard let file else { return true }
        let isSaved = OneShot<Bool>()
        queue.async { [self] in
            // Another process with the same state folder may have ended sessions, too.
            let stored = Self.read(file)
            let bytes = contents.withLock { contents in
                for session in stored.sessions { contents.add(session, at: now) }
                contents.endOfAll = max(contents.endOfAll, stored.endOfAll)
                return Array(contents.text.utf8)
            }
            isSaved.set((try? AtomicFile.write(bytes, to: file, permissions: .owner)) != nil)
        }
        return await isSaved.wait()
    }

    private static func read(_ file: String?) -> Contents {
        let data = file.flatMap { FileManager.default.contents(atPath: $0) }
        return Contents(data.map { String(decoding: $0.prefix(1 << 20), as: UTF8.self) } ?? "")
    }

    private struct Contents {
        var sessions: Set<BrowserSession> = []
        /// All sessions that expire until then have ended: there were too many to remember each of them.
        var endOfAll: UInt64 = 0

        /// Reads the lines of the file; a line that is damaged is ignored.
        init(_ text: String) {
            for line in text.split(separator: "\n") {
                if let session = BrowserSession(payload: line) {
                    sessions.insert(session)
                } else if line.hasPrefix("until "), let expiry = UInt64(line.dropFirst(6)) {
                    endOfAll = max(endOfAll, expiry)
                }
            }
        }

        var text: String {
            (["until \(endOfAll)"] + sessions.map(\.payload).sorted()).map { "\($0)\n" }.joined()
        }

        mutating func add(_ session: BrowserSession, at now: UInt64) {
            sessions.insert(session)
            guard sessions.count > EndedSessions.maximum else { return }
            sessions = sessions.filter { $0.expiry > now }
            while sessions.count > EndedSessions.maximum, let oldest = sessions.map(\.expiry).min() {
                endOfAll = max(endOfAll, oldest)
                sessions = sessions.filter { $0.expiry > oldest }
            }
        }
    }
}
