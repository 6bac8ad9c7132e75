internal import Documents

extension DocumentNode {
    /// Whether it is a list without entries.
    var isEmptySequence: Bool {
        if case .sequence(let entries) = content { entries.isEmpty } else { false }
    }
}
