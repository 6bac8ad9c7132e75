internal import AirPlay
internal import AsyncPrimitives
internal import Glibc
internal import HAPCore
internal import Synchronization

/// Stores the audio of a stream in a file: samples as WAV, compressed packets as they were received.
///
/// Packets are added as they arrive, and written once a second on another thread.
final class AudioRecorder: Sendable {
    /// The maximum number of bytes of a recording: about three hours of samples.
    private static let maximumSize = 2_000_000_000
    /// The maximum number of packets of a recording with compressed packets: about four hours.
    private static let maximumPackets = 2_000_000
    /// The maximum number of bytes that wait to be written.
    private static let maximumWaiting = 8 << 20

    private enum Container: Sendable {
        case wave
        case compressed(CompressedAudioFile)
    }

    private struct State {
        /// `nil` before the first packet.
        var container: Container?
        var file: RecordingFile?
        var waiting: [UInt8] = []
        /// The number of bytes that were written, without the head.
        var stored = 0
        var packetSizes: [Int] = []
        /// Why no more is stored.
        var failure: String?
        /// Whether no more packets are added.
        var isComplete = false
    }

    private let folder: String
    private let name: String
    private let format: AudioFormat
    private let budget: RecordingBudget
    private let state = Mutex(State())
    /// Held while bytes are written, because a stream may end while what was received before is stored.
    private let writing = Mutex(())

    /// - Parameters:
    ///   - folder: It is created if it does not exist.
    ///   - name: The begin of the name of the file; characters other than letters and digits are replaced.
    ///   - budget: What all recordings of the receiver may take.
    init(folder: String, name: String, _ format: AudioFormat, within budget: RecordingBudget = RecordingBudget()) {
        (self.folder, self.format, self.budget) = (folder, format, budget)
        self.name = String(name.map { $0.isLetter || $0.isNumber ? $0 : "-" }).prefix(utf8Bytes: 64)
    }

    /// The path of the file; `nil` before it is created.
    var path: String? { state.withLock(\.file)?.path }

    /// The seconds that were heard.
    var seconds: Double {
        state.withLock { state in
            switch state.container {
            case .wave: Double(state.stored + state.waiting.count) / Double(format.bytesPerSecond)
            case .compressed:
                Double(state.packetSizes.count * format.framesPerPacket) / Double(format.sampleRate)
            case nil: 0
            }
        }
    }

    // MARK: Packets

    /// Adds the payload of a packet.
    func append(_ payload: [UInt8]) {
        let samples = samples(in: payload)
        state.withLock { state in
            if state.container == nil {
                state.container = samples == nil ? CompressedAudioFile(format).map { .compressed($0) } : .wave
            }
            switch state.container {
            case .wave: append(samples ?? silence(packets: 1), &state)
            case .compressed(let file):
                // Samples among compressed packets are packets of the same kind.
                guard let packet = file.packet(payload, format: format),
                    state.packetSizes.count < Self.maximumPackets, append(packet, &state)
                else { return }
                state.packetSizes.append(packet.count)
            case nil: state.failure = "packets of the format \(format) cannot be stored"
            }
        }
    }

    /// Adds silence for packets that are missing; a file with compressed packets does not have them.
    func appendSilence(packets: Int) {
        let samples = silence(packets: min(packets, AudioReceiver.windowCapacity))
        state.withLock { state in
            if case .wave = state.container { append(samples, &state) }
        }
    }

    private func silence(packets: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: packets * format.framesPerPacket * format.bytesPerFrame)
    }

    /// Returns the samples as a WAV file has them; `nil` if they are compressed, or cannot be read.
    private func samples(in payload: [UInt8]) -> [UInt8]? {
        switch format.codec {
        // Packets have the most significant byte of a sample first.
        case .pcm: return payload.reversingBytes(ofEach: format.bitsPerSample / 8)
        case .alac:
            guard case .samples(let samples) = try? AppleLossless.unpack(payload.span, format: format) else {
                return nil
            }
            return samples
        case .aac, .aacELD: return nil
        }
    }

    /// Adds bytes of the file; returns `false` at a limit.
    @discardableResult
    private func append(_ bytes: [UInt8], _ state: inout State) -> Bool {
        guard state.failure == nil, !state.isComplete,
            state.stored + state.waiting.count + bytes.count <= Self.maximumSize
        else { return false }
        guard state.waiting.count + bytes.count <= Self.maximumWaiting else {
            state.failure = "more waits than the disk takes"
            return false
        }
        guard budget.take(bytes.count) else {
            state.failure =
                "the receiver has recorded \(RecordingBudget.total >> 30) GiB since its start, and records no more"
            return false
        }
        state.waiting += bytes
        return true
    }

    // MARK: Storing

    /// Writes what waits, and the length in the head; returns why the recording has ended, if it has.
    ///
    /// - Parameter isLast: Whether the recording is complete.
    @discardableResult
    func store(isLast: Bool = false) async -> String? {
        guard isLast || state.withLock({ !$0.waiting.isEmpty }) else { return state.withLock(\.failure) }
        await Task(executorPreference: globalConcurrentExecutor) { [self] in
            writing.withLock { _ in writeWaiting(isLast: isLast) }
        }
        .value
        return state.withLock(\.failure)
    }

    private func writeWaiting(isLast: Bool) {
        let (bytes, container) = state.withLock { state in
            defer { state.waiting = [] }
            if isLast { state.isComplete = true }
            return (state.failure == nil ? state.waiting : [], state.container)
        }
        guard let container, !bytes.isEmpty || isLast else { return }
        do throws(RecordingError) {
            try write(bytes, to: container, isLast: isLast)
        } catch {
            state.withLock { $0.failure = $0.failure ?? "\(error)" }
        }
    }

    /// Writes bytes after those of earlier calls; blocks the thread.
    private func write(_ bytes: [UInt8], to container: Container, isLast: Bool) throws(RecordingError) {
        let (existing, stored) = state.withLock { ($0.file, $0.stored) }
        let suffix = if case .compressed(let kind) = container { kind.suffix } else { "wav" }
        let file = if let existing { existing } else { try RecordingFile(folder: folder, name: name, suffix: suffix) }
        let length = stored + bytes.count
        let header =
            switch container {
            case .wave: WaveFile.header(for: format, dataLength: length)
            case .compressed(let kind): kind.header(for: format, dataLength: isLast ? length : nil)
            }
        try file.write(bytes, at: header.count + stored)
        if isLast, case .compressed(let kind) = container {
            let sizes = state.withLock(\.packetSizes)
            try file.write(kind.trailer(for: format, packetSizes: sizes), at: header.count + length)
        }
        try file.write(header, at: 0)
        state.withLock { ($0.file, $0.stored) = (file, length) }
    }
}

/// What all recordings of a receiver may take on the disk, because any sender can begin one.
final class RecordingBudget: Sendable {
    /// The number of bytes: six hours of samples.
    static let total = 4 << 30

    private let rest = Mutex(total)

    /// Takes bytes; returns `false`, and takes nothing, if there are not enough left.
    func take(_ count: Int) -> Bool {
        rest.withLock { rest in
            guard count <= rest else { return false }
            rest -= count
            return true
        }
    }
}

/// A file that is written at any place, and closed at the end of its life.
private final class RecordingFile: Sendable {
    let path: String
    private let descriptor: Int32

    /// Creates a file with a name that no file of the folder has.
    init(folder: String, name: String, suffix: String) throws(RecordingError) {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw RecordingError(folder, errno) }
        for number in 1...1_000 {
            let path = "\(folder)/\(name)-\(number).\(suffix)"
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            if descriptor >= 0 {
                (self.path, self.descriptor) = (path, descriptor)
                return
            }
            guard errno == EEXIST else { throw RecordingError(path, errno) }
        }
        throw RecordingError(folder, EEXIST)
    }

    deinit { close(descriptor) }

    func write(_ bytes: [UInt8], at start: Int) throws(RecordingError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                return pwrite(descriptor, rest.baseAddress, rest.count, off_t(start + written))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw RecordingError(path, errno) }
            written += count
        }
    }
}

/// Why a recording cannot be stored.
struct RecordingError: Error, CustomStringConvertible {
    private let path: String
    private let code: Int32

    init(_ path: String, _ code: Int32) {
        (self.path, self.code) = (path, code)
    }

    var description: String { "\(path): \(String(cString: strerror(code)))" }
}

extension [UInt8] {
    /// Returns the bytes with those of each number in the reverse order; a number that is not whole is left out.
    fileprivate func reversingBytes(ofEach size: Int) -> [UInt8] {
        var result = self
        result.removeLast(count % size)
        var start = 0
        while start < result.count {
            var (low, high) = (start, start + size - 1)
            while low < high {
                result.swapAt(low, high)
                (low, high) = (low + 1, high - 1)
            }
            start += size
        }
        return result
    }
}
