internal import Glibc

/// The users who can put files into a folder.
struct FolderAccess: Sendable, Hashable {
    /// A user, or users, who could replace the files of the folder.
    enum UntrustedWriter: Sendable, Hashable {
        /// The owner, who is neither this user nor root.
        case owner
        /// The members of a group that is not the owner's own.
        case group
        /// Every user.
        case everyone
    }

    var owner: UInt32
    var group: UInt32
    /// The permission bits.
    var mode: UInt32

    /// Returns the least trusted writer of the folder, other than `user` and root; `nil` if no other user can write.
    ///
    /// Root may use the folder of any user, for commands such as `sudo hap reset`.
    ///
    /// - Parameter isOwnGroup: Whether a group belongs to one user only.
    func untrustedWriter(for user: UInt32, isOwnGroup: (_ owner: UInt32, _ group: UInt32) -> Bool = isOwnGroup)
        -> UntrustedWriter?
    {
        if mode & 0o002 != 0 { return .everyone }
        if owner != user, owner != 0, user != 0 { return .owner }
        if mode & 0o020 != 0, !isOwnGroup(owner, group) { return .group }
        return nil
    }

    /// Returns whether a group is the private group of a user: primary, of the same name, and without other members.
    static func isOwnGroup(owner: UInt32, group: UInt32) -> Bool {
        guard let user = user(owner), user.group == group, let own = Self.group(group) else { return false }
        return own.name == user.name && own.members.allSatisfy { $0 == user.name }
    }

    /// The size of the buffer for an entry of a user or a group; the entry of a private group is smaller.
    private static let bufferSize = 64 << 10

    private static func user(_ id: UInt32) -> (name: String, group: UInt32)? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: bufferSize) { buffer in
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            guard let base = buffer.baseAddress,
                getpwuid_r(id, &entry, base, buffer.count, &found) == 0, found != nil,
                let name = entry.pw_name
            else { return nil }
            return (String(cString: name), entry.pw_gid)
        }
    }

    private static func group(_ id: UInt32) -> (name: String, members: [String])? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: bufferSize) { buffer in
            var entry = Glibc.group()
            var found: UnsafeMutablePointer<Glibc.group>?
            guard let base = buffer.baseAddress,
                getgrgid_r(id, &entry, base, buffer.count, &found) == 0, found != nil,
                let name = entry.gr_name
            else { return nil }
            var members: [String] = []
            var next = entry.gr_mem
            while let member = next?.pointee {
                members.append(String(cString: member))
                next = next?.advanced(by: 1)
            }
            return (String(cString: name), members)
        }
    }
}

extension String {
    /// The path as one word of a shell command, in single quotes if necessary.
    ///
    /// A leading `-` is preceded by `./`, so that no command mistakes the path for an option.
    package var shellQuoted: String {
        let text = utf8.first == UInt8(ascii: "-") ? "./\(self)" : self
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
                true
            default: "/._-+,:@%=".utf8.contains(byte)
            }
        }
        guard !isPlain || text.isEmpty else { return text }
        // Single quotes have no escapes in a shell: they are closed before a quote in the text, and opened again after
        // it.
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: #"'\''"#) + "'"
    }
}
