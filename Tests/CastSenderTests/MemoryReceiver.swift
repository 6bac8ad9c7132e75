import Cast
import HAPCore
import Synchronization

@testable import CastSender

/// A receiver in memory, whose time passes only when a test says so.
final class MemoryReceiver: Sendable {
    private let state: Mutex<State>
    /// The maximum number of bytes that a connection passes on at a time.
    private let chunk: Int

    private struct State {
        var receiver: CastReceiver
        var now = MonotonicInstant.zero
        var lastConnection: UInt64 = 0
        var connections: [UInt64: MemoryConnection] = [:]
        /// Whether new connections fail.
        var isAway = false
        /// What is sent instead of the answers to the next requests.
        var spoiled: [Misbehavior] = []
    }

    /// What is sent instead of an answer.
    enum Misbehavior: Sendable {
        /// The answer itself.
        case usual
        case nothing
        case bytes([UInt8])
        /// The bytes, and then the end of the connection.
        case end([UInt8])
    }

    init(_ configuration: CastReceiver.Configuration = .quiz, chunk: Int = .max) {
        state = Mutex(State(receiver: CastReceiver(configuration)))
        self.chunk = chunk
    }

    var connectionCount: Int { Int(state.withLock(\.lastConnection)) }

    /// Opens a connection.
    func open() throws(CastSenderError) -> any CastTransport {
        let connection: MemoryConnection? = state.withLock { state in
            guard !state.isAway else { return nil }
            state.lastConnection += 1
            let connection = MemoryConnection(self, state.lastConnection, chunk: chunk)
            state.connections[state.lastConnection] = connection
            return connection
        }
        guard let connection else { throw .unreachable("it is away") }
        return connection
    }

    /// Changes the receiver, and sends what follows.
    func change(_ change: (inout CastReceiver, MonotonicInstant) -> Void) {
        deliver(
            state.withLock { state in
                change(&state.receiver, state.now)
                state.receiver.publish(at: state.now)
                return (state.receiver.takeMessages(), state.connections)
            }
        )
    }

    /// Lets the receiver's time pass, in steps of a second.
    func advance(_ seconds: Int) {
        for _ in 0..<seconds {
            state.withLock { $0.now = $0.now.advanced(by: .seconds(1)) }
            change { receiver, now in receiver.advance(to: now) }
        }
    }

    /// Sends something else than the answers to the next requests.
    func misbehave(_ misbehaviors: Misbehavior...) { state.withLock { $0.spoiled += misbehaviors } }

    /// Ends all connections.
    ///
    /// - Parameter isAway: Whether new ones fail from now on.
    func drop(isAway: Bool = false) {
        let connections = state.withLock { state in
            state.isAway = isAway
            return state.connections.values
        }
        for connection in connections { connection.close() }
    }

    // MARK: Connections

    fileprivate func receive(_ frame: ArraySlice<UInt8>, from number: UInt64) {
        guard let message = try? CastMessage(parsing: frame), message.namespace != CastNamespace.heartbeat else {
            return
        }
        let isRequest = message.object?["requestId"] != nil
        let (misbehavior, outgoing, connections) = state.withLock { state in
            state.receiver.receive(message, from: number, at: state.now)
            let misbehavior = isRequest && !state.spoiled.isEmpty ? state.spoiled.removeFirst() : nil
            return (misbehavior, state.receiver.takeMessages(), state.connections)
        }
        switch misbehavior {
        case nil, .usual: deliver((outgoing, connections))
        case .nothing: break
        case .bytes(let bytes): connections[number]?.deliver(bytes)
        case .end(let bytes):
            connections[number]?.deliver(bytes)
            connections[number]?.close()
        }
    }

    private func deliver(
        _ sent: (messages: [(message: CastMessage, connection: UInt64)], connections: [UInt64: MemoryConnection])
    ) {
        for (message, number) in sent.messages { sent.connections[number]?.deliver(message.frame ?? []) }
    }

    fileprivate func disconnected(_ number: UInt64) {
        state.withLock { state in
            state.connections[number] = nil
            state.receiver.disconnect(number)
        }
    }
}

extension CastReceiver.Configuration {
    /// A receiver with an app that echoes messages.
    static let quiz: Self = {
        var configuration = Self()
        let quiz = CastApp(
            id: "QUIZ",
            name: "Quiz",
            ownNamespaces: ["urn:x-cast:com.example.quiz"],
            allowsRates: false,
            replies: [CastReply(pattern: "*", text: "{message}")]
        )
        configuration.apps = [.defaultMediaReceiver, quiz]
        return configuration
    }()
}

/// One end of a connection in memory.
final class MemoryConnection: CastTransport {
    private let receiver: MemoryReceiver
    private let number: UInt64
    private let chunk: Int
    private let decoder = Mutex(CastFrameDecoder())
    private let (bytes, continuation) = AsyncStream.makeStream(of: [UInt8].self)

    init(_ receiver: MemoryReceiver, _ number: UInt64, chunk: Int) {
        (self.receiver, self.number, self.chunk) = (receiver, number, chunk)
    }

    var certificate: [UInt8] { [] }
    var hosts: (local: String, receiver: String)? { nil }

    func receive() async -> [UInt8]? {
        for await next in bytes { return next }
        return nil
    }

    func send(_ bytes: [UInt8]) async throws {
        let frames = decoder.withLock { decoder in
            var frames: [ArraySlice<UInt8>] = []
            for piece in bytes.pieces(of: chunk) {
                decoder.append(piece)
                while let frame = try? decoder.next() { frames.append(frame) }
            }
            return frames
        }
        for frame in frames { receiver.receive(frame, from: number) }
    }

    func deliver(_ bytes: [UInt8]) {
        for piece in bytes.pieces(of: chunk) { continuation.yield(Array(piece)) }
    }

    func close() {
        continuation.finish()
        receiver.disconnected(number)
    }
}

extension [UInt8] {
    fileprivate func pieces(of size: Int) -> [ArraySlice<UInt8>] {
        guard size < count else { return [self[...]] }
        return stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
