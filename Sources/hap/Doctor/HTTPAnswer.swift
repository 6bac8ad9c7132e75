import Discovery
import HAPCore

/// What came back when a stranger asked a question over HTTP.
enum HTTPAnswer: Sendable, Hashable {
    case message(HTTPMessage)
    /// Something that is not HTTP, or larger than it may be.
    case malformed(String)
    /// The connection was closed without an answer.
    case closed
    /// Nothing, or not the whole of it, in time.
    case silent

    /// What a stranger is told at most: errors are small, and so is M2.
    private static let limits = HTTPLimits(maximumHeadBytes: 16 << 10, maximumBodyBytes: 64 << 10)

    /// Sends one request over a connection of its own and reads the answer to it.
    ///
    /// - Throws: ``SocketFailure`` when there is no connection.
    static func ask(
        _ request: HTTPRequest,
        of address: [UInt8],
        host: String,
        within time: Duration
    ) throws(SocketFailure) -> HTTPAnswer {
        let deadline = ContinuousClock.now.advanced(by: time)
        let socket = try TimedSocket.connect(to: address, by: deadline)
        var bytes: [UInt8] = []
        request.append(to: &bytes, host: host)
        do {
            try socket.write(bytes, by: deadline)
            return try read(from: socket, by: deadline)
        } catch let error as ProtocolError {
            return .malformed(error.description)
        } catch let error as SocketFailure {
            return error == .timedOut ? .silent : .closed
        } catch {
            return .closed
        }
    }

    private static func read(from socket: borrowing TimedSocket, by deadline: ContinuousClock.Instant) throws
        -> HTTPAnswer
    {
        var decoder = HTTPResponseDecoder(limits: limits)
        while true {
            let bytes = try socket.read(by: deadline)
            guard !bytes.isEmpty else { return .closed }
            bytes.withUnsafeBytes { decoder.append($0) }
            if let message = try decoder.next() { return .message(message) }
        }
    }
}
