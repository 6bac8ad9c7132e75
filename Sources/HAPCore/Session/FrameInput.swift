/// Opens frames in whatever pieces they arrive.
///
/// HAP: §8
struct FrameInput: ~Copyable {
    private var opener: FrameOpener
    /// What arrived of a frame that is not whole yet.
    private var unopened: [UInt8]

    /// Begins with bytes that have arrived already and were not looked at.
    init(_ opener: consuming FrameOpener, unopened: [UInt8]) {
        self.opener = opener
        self.unopened = unopened
    }

    /// How many bytes wait for the rest of their frame.
    var unopenedByteCount: Int {
        unopened.count
    }

    /// Opens every whole frame that is there now.
    mutating func receive(
        _ bytes: UnsafeRawBufferPointer,
        into target: inout some FrameTarget
    ) throws(ProtocolError) {
        if unopened.isEmpty {
            let consumed = try open(bytes, into: &target)
            unopened.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[consumed...]))
        } else {
            unopened.append(contentsOf: bytes)
            try openKept(into: &target)
        }
    }

    /// Opens what has arrived before.
    mutating func openKept(into target: inout some FrameTarget) throws(ProtocolError) {
        guard !unopened.isEmpty else { return }
        let input = unopened
        unopened = []
        var consumed = 0
        try input.withBytes { (bytes) throws(ProtocolError) in consumed = try open(bytes, into: &target) }
        if consumed == 0 {
            unopened = input
        } else {
            unopened.append(contentsOf: input[consumed...])
        }
    }

    /// Opens every whole frame into the target and returns how many bytes they took.
    private mutating func open(
        _ input: UnsafeRawBufferPointer,
        into target: inout some FrameTarget
    ) throws(ProtocolError) -> Int {
        var consumed = 0
        while true {
            let rest = UnsafeRawBufferPointer(rebasing: input[consumed...])
            guard let length = FrameOpener.peekLength(of: rest) else { return consumed }
            guard length > FrameFormat.maximumPlaintext || rest.count >= length + FrameFormat.overhead else {
                return consumed
            }
            var outcome: Result<FrameOpener.Step, ProtocolError>?
            target.append(count: min(length, FrameFormat.maximumPlaintext)) { plaintext in
                do throws(ProtocolError) {
                    outcome = .success(try opener.open(rest, into: plaintext))
                    return true
                } catch {
                    outcome = .failure(error)
                    return false
                }
            }
            guard case .frame(let frameSize, _) = try outcome?.get() else { return consumed }
            consumed += frameSize
        }
    }
}
