/// A key with its value.
package struct DocumentMember: Sendable {
    /// The key as written.
    package var key: String
    /// The position of the key.
    package var position: TextPosition
    /// The value.
    package var value: DocumentNode

    package init(key: String, position: TextPosition, value: DocumentNode) {
        self.key = key
        self.position = position
        self.value = value
    }
}
