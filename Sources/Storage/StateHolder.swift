/// The process that holds a state folder.
public struct StateHolder: Sendable, Hashable {
    /// Its process id, `nil` when the lock file does not say.
    public var processID: Int32?
}

extension StateHolder: CustomStringConvertible {
    /// `process 123`, or `another process`.
    public var description: String {
        processID.map { "process \($0)" } ?? "another process"
    }
}
