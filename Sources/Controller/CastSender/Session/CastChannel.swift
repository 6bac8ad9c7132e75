internal import Cast
internal import Synchronization

/// A channel to the joined app for messages of its own.
///
/// It can be added to one session, before that begins or at any time later. Several channels of a session have different
/// namespaces.
public final class CastChannel: Sendable {
    /// What happens in a channel.
    public enum Event: Sendable, Hashable {
        /// The app understands the namespace, and messages can be sent.
        case connected
        /// The app has ended, was left, or cannot be reached now.
        case disconnected
        /// The app has sent a text, which is usually JSON.
        case text(String)
        /// The app has sent bytes.
        case data([UInt8])
    }

    /// Such as `urn:x-cast:com.example.quiz`.
    public let namespace: String
    /// What happens, for one reader.
    ///
    /// It ends with the session, and for a reader that is more than 1,024 events behind.
    public let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let state = Mutex(State())

    private struct State {
        weak var session: CastSession?
        var wasAdded = false
        var isConnected = false
    }

    /// - Throws: ``CastSenderError/invalidNamespace(_:)`` if the text does not begin with `urn:x-cast:`, or is one of
    ///   Google's.
    public init(namespace: String) throws(CastSenderError) {
        guard namespace.hasPrefix(CastNamespace.start), namespace.utf8.count <= 128,
            namespace.utf8.count > CastNamespace.start.utf8.count, !namespace.hasPrefix(CastNamespace.prefix)
        else { throw .invalidNamespace(namespace) }
        self.namespace = namespace
        (events, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingOldest(1_024))
    }

    /// Whether messages can be sent.
    public var isConnected: Bool { state.withLock(\.isConnected) }

    /// Sends a text, which is usually JSON.
    public func send(_ text: String) async throws(CastSenderError) { try await send(.text(text)) }

    /// Sends bytes.
    public func send(_ data: [UInt8]) async throws(CastSenderError) { try await send(.binary(data)) }

    private func send(_ payload: CastMessage.Payload) async throws(CastSenderError) {
        guard let session = state.withLock({ $0.session }) else { throw .notConnected }
        try await session.send(payload, in: namespace)
    }

    // MARK: The session

    /// Returns whether it can be added, because it was not before.
    func add(to session: CastSession) -> Bool {
        state.withLock { state in
            guard !state.wasAdded else { return false }
            (state.wasAdded, state.session) = (true, session)
            return true
        }
    }

    func appConnected() { setConnected(true) }

    func appDisconnected() { setConnected(false) }

    private func setConnected(_ isConnected: Bool) {
        let hasChanged = state.withLock { state in
            defer { state.isConnected = isConnected }
            return state.isConnected != isConnected
        }
        if hasChanged { yield(isConnected ? .connected : .disconnected) }
    }

    func received(_ payload: CastMessage.Payload) {
        switch payload {
        case .text(let text): yield(.text(text))
        case .object(let object): yield(.text(object.text))
        case .binary(let bytes): yield(.data(bytes))
        }
    }

    private func yield(_ event: Event) {
        // A reader must not believe that it has read everything.
        if case .dropped = continuation.yield(event) { continuation.finish() }
    }

    func finish() {
        appDisconnected()
        continuation.finish()
        state.withLock { $0.session = nil }
    }
}
