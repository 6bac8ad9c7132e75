/// What a value is held to, in people's words.
package enum ValueTest: Sendable, Hashable {
    /// It is this one.
    case equals(String)
    /// It is a greater number.
    case above(Double)
    /// It is a smaller number.
    case below(Double)
}
