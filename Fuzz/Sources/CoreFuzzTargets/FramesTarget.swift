import FuzzHarness
import HAPCore
import TestSupport

/// Session frames: for any damage and any pieces, the decrypted bytes are a prefix of the original plaintext.
enum FramesTarget: FuzzTarget {
    static let name = "frames"

    static var seeds: [String: [UInt8]] {
        var seeds: [String: [UInt8]] = [
            "one": [0, 0, 5, 0],
            "boundary": [0, 9, 0x00, 0x04],
            "beyond": [1, 9, 0x01, 0x04],
            "many": [0, 77, 5, 0, 9, 0, 0, 8, 1, 0],
            "raw": [0x80, 1] + [UInt8](hex: Vectors.all.frames.cases[0].frames.joined()),
        ]
        let damages = ["flip", "drop", "repeat", "swap", "truncate", "insert"]
        for (number, name) in damages.enumerated() {
            seeds[name] = [UInt8(2 + number), 3, 1, 0, 7, 1, 2, 100, 0, 50, 1, 9, 9]
        }
        return seeds
    }

    /// The damage that the network does to the frames.
    private enum Damage: UInt8 {
        case none, flip, drop, `repeat`, swap, truncate, insert
    }

    static func run(_ input: [UInt8]) {
        var source = ByteSource(input)
        let options = source.byte()
        let cuts = Cuts(source.byte())
        guard options & 0x80 == 0 else {
            checkStrangers(source.remainder(), cuts)
            return
        }
        let damage = Damage(rawValue: options % 7) ?? .none
        let choices = (source.number(), source.number(), source.byte() | 1)
        let (messages, frames) = sealed(&source)
        let sent = messages.flatMap { $0 }
        let stream = damaged(frames, by: damage, choices)
        let whole = FrameStream(opening: stream, cut: nil, with: keys())
        let pieces = FrameStream(opening: stream, cut: cuts, with: keys())
        claim(whole == pieces, "frames are the same whole and in pieces")
        claim(sent.starts(with: whole.plaintext), "nothing is opened that was not sealed, nor in another order")
        if stream == frames.flatMap({ $0 }) {
            claim(
                whole.plaintext == sent && whole.failure == nil && whole.unopened == 0,
                "all that is sealed is opened"
            )
        }
    }

    /// Checks bytes of an attacker without the key.
    private static func checkStrangers(_ bytes: [UInt8], _ cuts: Cuts) {
        let whole = FrameStream(opening: bytes, cut: nil, with: keys())
        let pieces = FrameStream(opening: bytes, cut: cuts, with: keys())
        claim(whole == pieces, "frames are the same whole and in pieces")
        claim(whole.plaintext.isEmpty, "nothing is opened without the key")
        claim(whole.unopened <= FrameFormat.maximumPlaintext + FrameFormat.overhead, "no more waits than one frame")
    }

    private static func keys() -> SessionKeys {
        SessionKeys(
            secret: SessionSecret(keys: SecretBytes(copying: [UInt8](repeating: 7, count: 64))),
            role: .accessory
        )
    }

    /// Returns messages with the lengths that the input specifies, and their frames.
    private static func sealed(_ source: inout ByteSource) -> (messages: [[UInt8]], frames: [[UInt8]]) {
        var sealer = FrameSealer(
            SessionSecret(keys: SecretBytes(copying: [UInt8](repeating: 7, count: 64))),
            .controllerToAccessory
        )
        var messages: [[UInt8]] = []
        var frames: [[UInt8]] = []
        while !source.isEmpty, messages.count < 4 {
            let count = source.number() % 2_100
            let message = [UInt8](repeating: UInt8(messages.count), count: count)
            messages.append(message)
            let sealed = sealer.sealed(message)
            let size = FrameFormat.maximumPlaintext + FrameFormat.overhead
            for start in stride(from: 0, to: sealed.count, by: size) {
                frames.append(Array(sealed[start..<min(start + size, sealed.count)]))
            }
        }
        return (messages, frames)
    }

    private static func damaged(
        _ frames: [[UInt8]],
        by damage: Damage,
        _ choices: (first: Int, second: Int, mask: UInt8)
    ) -> [UInt8] {
        guard !frames.isEmpty else { return [] }
        var frames = frames
        let first = choices.first % frames.count
        let second = choices.second % frames.count
        switch damage {
        case .none: break
        case .flip: frames[first][choices.second % frames[first].count] ^= choices.mask
        case .drop: frames.remove(at: first)
        case .repeat: frames.insert(frames[first], at: second)
        case .swap: frames.swapAt(first, second)
        case .truncate: frames[first].removeLast(min(Int(choices.mask), frames[first].count))
        case .insert: frames.insert([choices.mask, 0, 1, 2, 3], at: first)
        }
        return frames.flatMap { $0 }
    }
}
