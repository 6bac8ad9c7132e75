import NIOCore
import NIOPosix
import Synchronization
import TestSupport

/// The bytes that a connection has received, for one reader that waits for them.
final class ReceivedBytes: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isClosed = false
        var isReset = false
        var waiter: (number: Int, continuation: CheckedContinuation<[UInt8]?, any Error>)?
        var waits = 0

        /// Returns the next bytes of the reader, or nothing if it has to wait.
        mutating func consume() -> [UInt8]?? {
            if !bytes.isEmpty {
                defer { bytes = [] }
                return .some(bytes)
            }
            return isClosed ? .some(nil) : nil
        }
    }

    /// The time after which a test fails; long, for busy machines.
    static let timeout = TimeAmount.seconds(120)

    private let state = Mutex(State())

    func append(_ bytes: [UInt8]) {
        change { $0.bytes += bytes }
    }

    func close() {
        change { $0.isClosed = true }
    }

    /// Records that the connection was reset instead of closed.
    func reset() {
        change { $0.isReset = true }
    }

    var isReset: Bool {
        state.withLock(\.isReset)
    }

    /// Waits for bytes and returns them, or `nil` at the end of the connection.
    func next() async throws -> [UInt8]? {
        try await withCheckedThrowingContinuation { continuation in
            let number = state.withLock { state -> Int? in
                if let taken = state.consume() {
                    continuation.resume(returning: taken)
                    return nil
                }
                state.waits += 1
                state.waiter = (state.waits, continuation)
                return state.waits
            }
            guard let number else { return }
            MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: Self.timeout) { self.timeOut(number) }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let delivery = state.withLock { state -> (CheckedContinuation<[UInt8]?, any Error>, [UInt8]?)? in
            body(&state)
            guard let waiter = state.waiter, let taken = state.consume() else { return nil }
            state.waiter = nil
            return (waiter.continuation, taken)
        }
        if let (continuation, taken) = delivery {
            continuation.resume(returning: taken)
        }
    }

    private func timeOut(_ number: Int) {
        let continuation = state.withLock { state -> CheckedContinuation<[UInt8]?, any Error>? in
            guard state.waiter?.number == number else { return nil }
            defer { state.waiter = nil }
            return state.waiter?.continuation
        }
        continuation?.resume(throwing: TestFailure("nothing arrived, and the connection stayed open"))
    }
}
