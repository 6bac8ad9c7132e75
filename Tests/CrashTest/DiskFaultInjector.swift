import Documents
import Glibc
import Synchronization
import TestSupport

/// The memory that the test shares with a preloaded `faults.c`, to control it and to read its results.
final class DiskFaultInjector {
    /// A way in which a disk fails.
    struct Fault: CustomStringConvertible {
        var description: String
        /// The `errno` of the call that fails.
        var error: Int32
        /// Whether the first such call writes only half of its bytes instead of failing.
        var isShort = false
        /// Whether all later calls fail, too.
        var isPersistent = false

        static let all = [
            Fault(description: "one EIO", error: EIO),
            Fault(description: "EIO from then on", error: EIO, isPersistent: true),
            Fault(description: "ENOSPC from then on", error: ENOSPC, isPersistent: true),
            Fault(description: "EROFS from then on", error: EROFS, isPersistent: true),
            Fault(description: "a short write", error: EIO, isShort: true),
            Fault(description: "a short write, then ENOSPC", error: ENOSPC, isShort: true, isPersistent: true),
        ]
    }

    /// The numbers of `control` in the C file, in its order.
    private enum Field: Int {
        case countdown, remaining, error, isShort, failed, traced
    }

    private static let size = 6 * 4 + 65_536
    private let path: String
    private let memory: UnsafeMutableRawPointer

    init(folder: String) throws {
        path = folder + "/faults"
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        guard file >= 0, ftruncate(file, Self.size) == 0,
            let memory = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), memory != MAP_FAILED
        else { throw TestFailure("cannot create \(path)") }
        self.memory = memory
        set(.traced, -1)
    }

    deinit {
        munmap(memory, Self.size)
    }

    /// Returns the environment variables that enable the injector in a process.
    func environment(library: String) -> [String: String] {
        ["LD_PRELOAD": library, "HAP_FAULTS": path]
    }

    /// Makes the call with this number fail, counted from 1.
    func arm(_ fault: Fault, at number: Int) {
        set(.failed, 0)
        set(.error, fault.error)
        set(.isShort, fault.isShort ? 1 : 0)
        set(.remaining, fault.isPersistent ? .max : 1)
        set(.countdown, Int32(number))
    }

    /// The number of calls that have failed.
    var failedCount: Int { Int(value(.failed)) }

    /// Makes the disk work again.
    func disarm() {
        set(.countdown, 0)
        set(.remaining, 0)
    }

    /// Returns what the process does to its store and sends during an operation, one letter each.
    ///
    /// `w` is a write, `s` a completed sync, `c` a truncation of a file, and `>` a message to a controller.
    func trace(_ operation: () throws -> Void) rethrows -> String {
        set(.traced, 0)
        defer { set(.traced, -1) }
        try operation()
        let count = min(max(Int(value(.traced)), 0), 65_536)
        let bytes = UnsafeRawBufferPointer(start: memory + 6 * 4, count: count)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func set(_ field: Field, _ value: Int32) {
        // The fences make earlier stores visible first; the server reads the field atomically.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        memory.storeBytes(of: value, toByteOffset: field.rawValue * 4, as: Int32.self)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
    }

    private func value(_ field: Field) -> Int32 {
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return memory.load(fromByteOffset: field.rawValue * 4, as: Int32.self)
    }
}
