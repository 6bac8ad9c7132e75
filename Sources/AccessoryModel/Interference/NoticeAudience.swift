/// What a connection is to a change of a characteristic.
public enum NoticeAudience: Sendable, Hashable {
    /// It has subscribed, and is told.
    case subscriber
    /// It has subscribed and has written the value itself, and is not told.
    case writer
    /// It has unsubscribed, and is not told.
    case unsubscribed
}
