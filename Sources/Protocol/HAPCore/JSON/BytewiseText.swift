/// A text that is compared by its bytes.
///
/// `String` compares by canonical equivalence, for which it sorts every run of combining marks. A peer's text with a
/// hundred kilobytes of them would occupy a core for seconds at every comparison.
package struct BytewiseText: Sendable, Hashable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: BytewiseText, right: BytewiseText) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    package func hash(into hasher: inout Hasher) {
        let isHashed: Void? = text.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isHashed == nil {
            Array(text.utf8).withUnsafeBytes { hasher.combine(bytes: $0) }
        }
        hasher.combine(0xFF as UInt8)
    }
}

extension String {
    /// Returns whether two texts have the same bytes, in a time bounded by their length.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let response: Bool?? = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in
                for position in left.indices where left[position] != right[position] {
                    return false
                }
                return true
            }
        }
        if case .some(.some(let response)) = response {
            return response
        }
        return utf8.elementsEqual(other.utf8)
    }
}
