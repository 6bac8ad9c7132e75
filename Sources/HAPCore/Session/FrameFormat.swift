/// The shape of a session frame: two bytes of length, the ciphertext, and 16 bytes of tag.
///
/// HAP: §8
package enum FrameFormat {
    /// How many plaintext bytes a frame holds at most.
    package static let maximumPlaintext = 1_024
    /// How many bytes the length takes; they are the frame's associated data.
    package static let lengthSize = 2
    /// How many bytes a frame has beside its plaintext.
    package static let overhead = lengthSize + ChaChaPoly.tagLength
    /// How many frames without plaintext are taken in a row.
    ///
    /// HAP: §0
    package static let maximumEmptyRun = 16
}
