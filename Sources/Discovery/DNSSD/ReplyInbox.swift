/// Where the callbacks of one reference leave their replies.
///
/// Callbacks run inside of calls of the `dns_sd` library. They only take notes; what follows from a reply, such as
/// dropping the reference, is done once the call has returned.
final class ReplyInbox<Reply> {
    private var replies: [Reply] = []

    func append(_ reply: Reply) {
        replies.append(reply)
    }

    /// Takes the replies out, in the order of their arrival.
    func take() -> [Reply] {
        defer { replies = [] }
        return replies
    }
}
