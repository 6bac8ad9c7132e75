internal import NIOCore

/// The limits of the API, so that no client can use up memory or connections.
enum ConsoleLimits {
    /// The maximum number of bytes of a body.
    static let body = 1 << 20
    /// The maximum number of bytes of a body whose sender has not shown the token or a session.
    static let unauthenticatedBody = 1 << 10
    /// The maximum number of bytes of all bodies together, from their beginning until they are answered.
    static let bodies = 8 << 20
    /// The number of bytes that are received at once; ten times as many can wait for a connection whose client does not
    /// read its response.
    static let receiveBuffer = 4 << 10
    /// The maximum time in which a body must arrive.
    static let bodyTime = Duration.seconds(10)
    /// The time after which an idle connection is closed.
    static let idleTime = TimeAmount.seconds(30)
    /// The time for which a client can read a last response before its connection is closed.
    static let lingerTime = TimeAmount.seconds(1)
    /// The maximum number of connections of a listener; a further one takes the place of one without access, or waits.
    static let connections = 256
    /// The time after many connections have ended at which their memory is returned to the system.
    static let trimDelay = TimeAmount.seconds(5)
    /// The number of connections without access that do not give way to others, since they are new.
    static let newConnections = 8
    /// The time after which they do.
    static let accessTime = TimeAmount.seconds(10)
    /// The maximum number of event streams at the same time.
    static let streams = 64
    /// The maximum number of definitions that are read at the same time.
    ///
    /// Each of them occupies a thread of the shared pool.
    static let checks = 1
    /// The maximum time for which the next one waits.
    static let checkTime = Duration.seconds(5)
    /// The maximum number of errors and warnings of a definition in a response.
    static let diagnostics = 200
    /// The maximum time in which a stream's client must accept an event.
    static let writeTime = Duration.seconds(10)
    /// The size of the system's buffer for a stream in bytes.
    static let sendBuffer: SocketOptionValue = 128 << 10
    /// The time after which a stream without events sends a comment, to notice that its client is gone.
    static let heartbeat = Duration.seconds(15)
}
