/// What a person may do in a home.
public enum UserRole: String, Sendable, Hashable, CaseIterable {
    /// Everything; the person whose home it is.
    case owner
    /// Everything but giving the home away.
    case administrator
    /// Use what is there.
    case member
}
