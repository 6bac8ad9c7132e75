import HAPCore
import NIOCore
import NIOPosix
import TestSupport

/// A ``HAPClient`` on a NIO connection.
///
/// Every wait ends with its result, with the connection, or with a failure.
actor TestController {
    private let channel: any Channel
    private let received: ReceivedBytes
    private let sendsSingleBytes: Bool
    private var client = HAPClient()
    private var waitingEvents: [HTTPMessage] = []

    private init(channel: any Channel, received: ReceivedBytes, sendsSingleBytes: Bool) {
        self.channel = channel
        self.received = received
        self.sendsSingleBytes = sendsSingleBytes
    }

    /// Connects to a port of this machine from an address of its loopback interface.
    ///
    /// - Parameter isDripping: Whether every byte is sent separately.
    static func connect(
        to port: UInt16,
        from host: String = "127.0.0.1",
        bytewise isDripping: Bool = false
    ) async throws -> TestController {
        let mailbox = ReceivedBytes()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(ReceivedBytes.timeout)
            .bind(to: try SocketAddress(ipAddress: host, port: 0))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ReceivedBytesHandler(received: mailbox))
                }
            }
            .connect(host: "127.0.0.1", port: Int(port))
            .get()
        return TestController(channel: channel, received: mailbox, sendsSingleBytes: isDripping)
    }

    /// Uses encrypted frames from now on.
    func secure(with frames: FrameCodec) {
        client.secure(with: frames)
    }

    // MARK: Sending

    /// Sends bytes as they are, framed within a session.
    func send(_ message: [UInt8]) async throws {
        try await sendRaw(client.bytes(of: message))
    }

    /// Sends bytes without a frame.
    func sendRaw(_ bytes: [UInt8]) async throws {
        guard sendsSingleBytes else {
            try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
            return
        }
        for byte in bytes {
            try await channel.writeAndFlush(ByteBuffer(bytes: [byte]))
        }
    }

    func send(_ request: HTTPRequest) async throws {
        try await send(request.message)
    }

    /// Stops or resumes reading; in the meantime the network buffers the input.
    func setReading(_ isReading: Bool) async throws {
        try await channel.setOption(.autoRead, value: isReading).get()
    }

    /// Whether a part of a message has arrived.
    var isMidMessage: Bool {
        client.isMidMessage
    }

    /// Whether the other side has reset the connection instead of closing it.
    var isReset: Bool {
        received.isReset
    }

    func close() async throws {
        try await channel.close()
    }

    // MARK: Receiving

    /// Sends a request and waits for its response; events that arrive meanwhile wait for ``event()``.
    func request(_ request: HTTPRequest) async throws -> HTTPMessage {
        try await send(request)
        return try await response()
    }

    /// Returns the next response.
    func response() async throws -> HTTPMessage {
        while let message = try await nextMessage() {
            if message.kind == .response { return message }
            waitingEvents.append(message)
        }
        throw TestFailure("the connection ended instead of a response")
    }

    /// Returns the next event.
    func event() async throws -> HTTPMessage {
        if !waitingEvents.isEmpty { return waitingEvents.removeFirst() }
        guard let message = try await nextMessage() else {
            throw TestFailure("the connection ended instead of an event")
        }
        guard message.kind == .event else { throw TestFailure("a response came instead of an event: \(message.text)") }
        return message
    }

    /// Returns the events before the response to a request that is sent now, which includes all events that were due.
    func eventsUntilNextResponse() async throws -> [HTTPMessage] {
        _ = try await request(HTTPRequest(.get, path: "/nothing"))
        defer { waitingEvents = [] }
        return waitingEvents
    }

    /// Waits for the end of the connection, and returns the messages before it.
    @discardableResult
    func messagesUntilClosed() async throws -> [HTTPMessage] {
        var messages: [HTTPMessage] = []
        while let message = try await nextMessage() {
            messages.append(message)
        }
        return messages
    }

    /// Returns the next message, or `nil` at the end of the connection.
    func nextMessage() async throws -> HTTPMessage? {
        while true {
            if let message = try client.nextMessage() { return message }
            guard let bytes = try await received.next() else { return nil }
            try client.receive(bytes)
        }
    }
}
