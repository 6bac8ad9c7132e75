package import HAPCore

/// A PIN or a password, which is printed only where ``text`` is used.
package struct HiddenText: Sendable, Hashable, ExpressibleByStringLiteral {
    package let text: String

    package init(_ text: String) { self.text = text }

    package init(stringLiteral value: String) { text = value }
}

extension HiddenText: CustomStringConvertible, CustomReflectable {
    package var description: String { "(hidden)" }

    /// An empty mirror, so that `dump` does not show the text either.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The key of an encrypted audio stream, 32 bytes.
package final class StreamKey: Sendable {
    package let bytes: SecretBytes

    package init(_ bytes: [UInt8]) { self.bytes = SecretBytes(copying: bytes) }
}

extension StreamKey: CustomStringConvertible {
    package var description: String { "stream key (hidden)" }
}
