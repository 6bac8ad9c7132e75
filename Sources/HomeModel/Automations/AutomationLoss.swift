/// What an automation loses with things that are removed from its home.
enum AutomationLoss: Sendable, Hashable {
    /// It names none of them.
    case nothing
    /// It does less, and still has something to wait for and to do.
    case part
    /// Something that its condition or its ending needs is gone: it is left disabled, without that.
    case sense
    /// What it waits for, or all that it does, is gone: there is nothing left of it.
    case everything
}
