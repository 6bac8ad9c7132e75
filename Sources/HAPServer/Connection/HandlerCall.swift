internal import HAPCore
internal import NIOCore

/// A handler that has been asked and has not answered.
///
/// Belongs to the server's actor and never leaves it.
struct HandlerCall {
    let kind: HandlerKind
    let position: Int
    /// `nil` once the request has been answered without it.
    var operation: HandlerOperation?
    var task: Task<Void, Never>?
    let warning: Scheduled<Void>
    let timeout: Scheduled<Void>
}
