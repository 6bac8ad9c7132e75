/// Tells one declared characteristic from every other, so that its copies name the same one.
package final class DeclarationIdentity: Sendable, Hashable {
    package init() {}

    package static func == (lhs: DeclarationIdentity, rhs: DeclarationIdentity) -> Bool {
        lhs === rhs
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
