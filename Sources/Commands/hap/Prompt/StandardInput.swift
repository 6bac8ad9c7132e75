import AsyncPrimitives
import Dispatch
import Glibc

/// The input of this process, which is read only as fast as its bytes are used.
struct StandardInput: Sendable {
    /// The maximum number of bytes that are read before they are used.
    static let partSize = 16 << 10

    /// The time in milliseconds after which a wait for input checks whether it must end.
    private static let pollTime: Int32 = 100

    private let descriptor: Int32
    /// The queue on which a thread waits for input.
    private let queue = DispatchQueue(label: "hap.standard-input")

    /// - Parameter descriptor: The descriptor of a terminal, a pipe, a file or a device.
    init(descriptor: Int32 = CommandContext.current.input) {
        self.descriptor = descriptor
    }

    /// Returns the bytes of the input as they arrive, each part when the previous one has been used.
    ///
    /// Bytes for which the caller does not ask stay in the pipe or in the file. The stream ends with the input, or when
    /// the task is cancelled; bytes that were just read are then lost.
    func bytes() -> AsyncStream<[UInt8]> {
        AsyncStream { await self.next() }
    }

    /// Waits for the next part and returns it, or `nil` at the end.
    private func next() async -> [UInt8]? {
        let part = OneShot<[UInt8]?>()
        let isCancelled = OneShot<Void>()
        queue.async { part.set(self.read { isCancelled.isSet }) }
        return await withTaskCancellationHandler {
            await part.waitUnlessCancelled() ?? nil
        } onCancel: {
            isCancelled.set()
        }
    }

    /// Waits for input and reads it; returns `nil` at its end.
    private func read(until isCancelled: () -> Bool) -> [UInt8]? {
        while !isCancelled() {
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = poll(&wanted, 1, Self.pollTime)
            if count == 0 || count < 0 && errno == EINTR { continue }
            guard count > 0 else { return nil }
            var fault: Int32 = 0
            let part = [UInt8](unsafeUninitializedCapacity: Self.partSize) { buffer, count in
                let result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                fault = result < 0 ? errno : 0
                count = max(result, 0)
            }
            if fault == EINTR || fault == EAGAIN { continue }
            return part.isEmpty ? nil : part
        }
        return nil
    }
}
